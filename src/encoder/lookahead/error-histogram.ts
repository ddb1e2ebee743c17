// How the prediction errors of a picture spread over its macroblocks: what its bits are estimated from.
import { MACROBLOCK_SIZE } from '../../picture/picture.js';

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
}

/**
 * How many macroblocks have a mean absolute error in each bin: of what predicts them best, or without a prediction.
 * `sad`: with a prediction, if there is one; `intra`: without.
 */
export function errorHistogram(sad: Uint16Array | undefined, intra: Uint16Array): Uint32Array {
  const counts = new Uint32Array(ERROR_BINS);
  const perLeast = 1 / (MACROBLOCK_SIZE ** 2 * MIN_ERROR);
  for (let address = 0; address < intra.length; address++) {
    const error = sad === undefined ? intra[address]! : Math.min(sad[address]!, intra[address]!);
    const octaves = Math.log2(Math.max(1, error * perLeast));
    counts[Math.min(ERROR_BINS - 1, Math.floor(octaves * BINS_PER_OCTAVE))]!++;
  }
  return counts;
}
