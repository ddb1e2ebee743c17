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
 * How many macroblocks have their mean absolute error in each bin. The error of a macroblock is that of its prediction,
 * or that without one where it is smaller. `sad`: the sums of absolute errors with a prediction, if there is one;
 * `intra`: those without.
 */
export function errorHistogram(sad: Uint16Array | undefined, intra: Uint16Array): Uint32Array {
  const counts = new Uint32Array(ERROR_BINS);
  const bins = binsOfErrors();
  for (let address = 0; address < intra.length; address++) {
    const without = intra[address]!;
    const saved = sad === undefined ? 0 : sad[address]! - without;
    // The smaller one, without a branch, which would often be predicted wrong.
    counts[bins[without + (saved & (saved >> 31))]!]!++;
  }
  return counts;
}

let knownBins: Uint8Array | undefined;

/** By the sum of absolute errors of a macroblock, its bin. */
function binsOfErrors(): Uint8Array {
  knownBins ??= Uint8Array.from({ length: 0x10000 }, (_, error) => binOf(error));
  return knownBins;
}

/** By octave, the least sum of absolute errors in its upper bin. */
const UPPER_BINS = Uint32Array.from({ length: ERROR_BINS / BINS_PER_OCTAVE }, (_, octave) =>
  Math.ceil(MACROBLOCK_SIZE ** 2 * MIN_ERROR * 2 ** (octave + 1 / BINS_PER_OCTAVE)),
);

/** The bin of a macroblock's sum of absolute errors. Engines may round logarithms differently. */
function binOf(error: number): number {
  const octave = Math.max(0, 31 - Math.clz32(error / (MACROBLOCK_SIZE ** 2 * MIN_ERROR)));
  const bin = octave * BINS_PER_OCTAVE + (error >= UPPER_BINS[octave]! ? 1 : 0);
  return Math.min(ERROR_BINS - 1, bin);
}
