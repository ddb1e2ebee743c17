import { DEFAULT_INTRA_MATRIX, DEFAULT_NON_INTRA_MATRIX } from '../dct/matrices.js';
import { quantiserRecord } from '../dct/quantiser.js';
import type { Workspace } from './workspace.js';

/** Rounding of levels that are taken as they are, in steps. Intra coefficients are worth keeping more often than residuals. */
const PLAIN_ROUNDING = { nonIntra: 0, intra: 0.375 };
/** Rounding to the nearest reconstruction: non-intra levels reconstruct half a step higher (§2.4.4.2). */
const NEAREST_ROUNDING = { nonIntra: 0, intra: 0.5 };

/** Weights of both kinds of blocks, column by column; undefined is the standard's default. */
export interface QuantiserMatrices {
  readonly intra: Uint8Array | undefined;
  readonly nonIntra: Uint8Array | undefined;
}

/** Fills the workspace's quantiser records for all 31 quantizer_scales. */
export function loadQuantisers(workspace: Workspace, matrices: QuantiserMatrices): void {
  const nonIntra = matrices.nonIntra ?? DEFAULT_NON_INTRA_MATRIX;
  const intra = matrices.intra ?? DEFAULT_INTRA_MATRIX;
  const { plain, nearest } = workspace.quantisers;
  const load = (pointers: readonly number[], weights: Uint8Array, isIntra: boolean, rounding: number) => {
    for (let quantizerScale = 1; quantizerScale <= 31; quantizerScale++) {
      const record = quantiserRecord({ quantizerScale, weights, intra: isIntra, rounding });
      workspace.memory.u8.set(record, pointers[quantizerScale]!);
    }
  };
  load(plain[0], nonIntra, false, PLAIN_ROUNDING.nonIntra);
  load(plain[1], intra, true, PLAIN_ROUNDING.intra);
  load(nearest[0], nonIntra, false, NEAREST_ROUNDING.nonIntra);
  load(nearest[1], intra, true, NEAREST_ROUNDING.intra);
}
