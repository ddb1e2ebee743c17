import { DEFAULT_INTRA_MATRIX, DEFAULT_NON_INTRA_MATRIX } from '../dct/matrices.js';
import { quantiserRecord } from '../dct/quantiser.js';
import type { Workspace } from './workspace.js';

/** Rounding of levels in units of a step. Intra coefficients are worth keeping more often than residuals. */
const INTRA_ROUNDING = 0.375;
const NON_INTRA_ROUNDING = 0;

/** Weights of both kinds of blocks, column by column; undefined is the standard's default. */
export interface QuantiserMatrices {
  readonly intra: Uint8Array | undefined;
  readonly nonIntra: Uint8Array | undefined;
}

/** Fills the workspace's quantiser records for all 31 quantizer_scales. */
export function loadQuantisers(workspace: Workspace, matrices: QuantiserMatrices): void {
  const kinds = [
    { intra: false, weights: matrices.nonIntra ?? DEFAULT_NON_INTRA_MATRIX, rounding: NON_INTRA_ROUNDING },
    { intra: true, weights: matrices.intra ?? DEFAULT_INTRA_MATRIX, rounding: INTRA_ROUNDING },
  ];
  kinds.forEach((kind, index) => {
    for (let quantizerScale = 1; quantizerScale <= 31; quantizerScale++) {
      const pointer = workspace.quantisers[index as 0 | 1][quantizerScale]!;
      workspace.memory.u8.set(quantiserRecord({ ...kind, quantizerScale }), pointer);
    }
  });
}
