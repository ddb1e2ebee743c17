// How the prediction errors of a picture spread over its macroblocks: what its bits are estimated from.
import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import { exp2 } from '../../portable-math.js';

/** Bins of an octave of errors. */
export const BINS_PER_OCTAVE = 2;
/** The mean absolute error of a pel at the lower end of the first bin, which has the smaller ones, too. */
export const MIN_ERROR = 0.25;
/** Up to errors of 128. */
export const ERROR_BINS = 9 * BINS_PER_OCTAVE;

/** What the errors of a picture's prediction are like. */
export interface PictureErrors {
  /** See `errorHistogram`. */
  readonly counts: ArrayLike<number>;
  /** Mean absolute noise of a pel, about: what no prediction takes away. */
  readonly noise: number;
  /** See `meanShift`; 0 where there is no prediction. */
  readonly shift: number;
}

/**
 * By how much the mean of all pels differs from that of the prediction, in levels: in a fade. `mean`: that of the
 * picture; `references`: those of the pictures that it is predicted from, of which two may be averaged.
 */
export function meanShift(mean: number, references: readonly number[]): number {
  const between = (Math.min(...references) + Math.max(...references)) / 2;
  return Math.min(...[...references, between].map(reference => Math.abs(mean - reference)));
}

/**
 * How many macroblocks have their mean absolute error in each bin. The error of a macroblock is that of its prediction,
 * or that without one where it is smaller. `sad`: the sums of absolute errors with a prediction, if there is one;
 * `intra`: those without.
 */
export function errorHistogram(sad: Uint16Array | undefined, intra: Uint16Array): Uint32Array {
  const counts = new Uint32Array(ERROR_BINS);
  for (let address = 0; address < intra.length; address++) {
    const without = intra[address]!;
    const saved = sad === undefined ? 0 : sad[address]! - without;
    // The smaller one, without a branch, which would often be predicted wrong.
    counts[BIN_OF_ERROR[without + (saved & (saved >> 31))]!]!++;
  }
  return counts;
}

/** By the sum of absolute errors of a macroblock, its bin. */
const BIN_OF_ERROR = new Uint8Array(0x10000);
for (let bin = 1; bin < ERROR_BINS; bin++) {
  BIN_OF_ERROR.fill(bin, Math.ceil(MACROBLOCK_SIZE ** 2 * MIN_ERROR * exp2(bin / BINS_PER_OCTAVE)));
}
