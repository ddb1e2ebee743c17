// The quantizer matrices by name, and the quantizer records of all quantizer_scales.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import { DEFAULT_INTRA_MATRIX, DEFAULT_NON_INTRA_MATRIX } from '../../dct/matrices.js';
import { quantizerRecord } from '../../dct/quantizer-record.js';
import type { Workspace } from '../picture/workspace.js';

/**
 * Rounding of levels without a trellis, in steps. Intra coefficients are rounded up more often: they are worth keeping
 * more often than those of residuals. Not measured.
 */
const PLAIN_ROUNDING = { nonIntra: 0, intra: 0.375 };
/**
 * The same where no trellis follows, which would drop levels that cost more bits than they are worth: of 0, -0.12 and
 * -0.24, -0.12 takes 1.5 % fewer bits than 0 at equal PSNR (three clips); -0.24 is as good at coarse scales only.
 */
const ONLY_ROUNDING = { nonIntra: -0.15, intra: 0.375 };
/**
 * Rounding to the nearest reconstruction, for the trellis, which tries the level below, too. Non-intra levels
 * reconstruct half a step higher (§2.4.4.2): level 1 is the nearest from 0.75 steps on, level n from n on.
 */
const NEAREST_ROUNDING = { nonIntra: 0.25, intra: 0.5 };

/** The weights of intra and non-intra blocks, column by column; undefined: the standard's default matrix. */
export interface QuantizerMatrices {
  readonly intra: Uint8Array | undefined;
  readonly nonIntra: Uint8Array | undefined;
}

/**
 * The intra matrices by name; undefined: the standard's default, which the stream need not carry. In `flat` all AC
 * coefficients have the same step, which is best for squared errors at high rates. A step of 22 follows from the
 * coder's lambda (0.85 q^2 = 0.1155 step^2); 24 is the best measured, see docs/benchmarks.md.
 */
export const NAMED_INTRA_MATRICES = {
  standard: undefined,
  flat: new Uint8Array(64).fill(24).fill(8, 0, 1),
} as const satisfies Readonly<Record<string, Uint8Array | undefined>>;

/** The named intra matrices. */
export type MatrixName = keyof typeof NAMED_INTRA_MATRICES;

/** The legal names. */
export const MATRIX_NAMES = Object.keys(NAMED_INTRA_MATRICES) as readonly MatrixName[];

/** Fills the workspace's quantizer records for all quantizer_scales. `hasTrellis`: levels are chosen by a trellis. */
export function loadQuantizers(workspace: Workspace, matrices: QuantizerMatrices, hasTrellis: boolean): void {
  const nonIntra = matrices.nonIntra ?? DEFAULT_NON_INTRA_MATRIX;
  const intra = matrices.intra ?? DEFAULT_INTRA_MATRIX;
  const { plain, nearest } = workspace.quantizers;
  const load = (pointers: readonly number[], weights: Uint8Array, isIntra: boolean, rounding: number) => {
    for (let quantizerScale = 1; quantizerScale <= MAX_QUANTIZER_SCALE; quantizerScale++) {
      const record = quantizerRecord({ quantizerScale, weights, intra: isIntra, rounding });
      workspace.memory.u8.set(record, pointers[quantizerScale]!);
    }
  };
  const rounding = hasTrellis ? PLAIN_ROUNDING : ONLY_ROUNDING;
  load(plain[0], nonIntra, false, rounding.nonIntra);
  load(plain[1], intra, true, rounding.intra);
  load(nearest[0], nonIntra, false, NEAREST_ROUNDING.nonIntra);
  load(nearest[1], intra, true, NEAREST_ROUNDING.intra);
}
