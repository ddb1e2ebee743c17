// How far disparities are from the true ones.
import { InputError } from '../errors.js';

/** The true disparity of a rectified stereo pair, for the left picture in raster order. */
export interface DisparityTruth {
  /** Its name in messages. */
  readonly name: string;
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** In pels; 0 or less if unknown. A pel at (x, y) of the left picture is at (x - disparity, y) in the right one. */
  readonly disparity: Float32Array;
  /** 0 for pels that do not count; without a mask all pels count. */
  readonly mask?: ArrayLike<number>;
}

/** The errors of estimated disparity. */
export interface BadPixels {
  /** Share of pels, 0..1, with an error above 1 pel, and above 2 pels. */
  readonly above1: number;
  readonly above2: number;
  /** Mean of the absolute error in pels. */
  readonly meanError: number;
  /** Number of compared pels: those with a known disparity that the mask leaves. */
  readonly pels: number;
}

/** The errors of the disparities that `disparityAt` gives, in pels. Throws an InputError if no pel can be compared. */
export function badPixelsOf(disparityAt: (x: number, y: number) => number, truth: DisparityTruth): BadPixels {
  const { name, width, height, disparity, mask } = truth;
  let pels = 0;
  let sum = 0;
  let above1 = 0;
  let above2 = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pel = y * width + x;
      if (!(disparity[pel]! > 0) || mask?.[pel] === 0) continue;
      const error = Math.abs(disparityAt(x, y) - disparity[pel]!);
      pels++;
      sum += error;
      if (error > 1) above1++;
      if (error > 2) above2++;
    }
  }
  if (pels === 0) {
    throw new InputError(`${name} knows the disparity of no pel${mask ? ' that the mask leaves' : ''}`);
  }
  return { above1: above1 / pels, above2: above2 / pels, meanError: sum / pels, pels };
}
