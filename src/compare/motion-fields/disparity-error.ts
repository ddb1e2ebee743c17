// Compares a motion field with the true disparity of a stereo pair.
import { InputError } from '../../errors.js';
import type { MotionField } from '../../motion/estimator.js';

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

/**
 * The errors of a field with the left picture as `current` and the right one as `reference`: a block's match lies to
 * its left, so its disparity is -dx. dy is ignored: in rectified pictures it is 0. Throws an InputError if the sizes
 * differ or no pel can be compared.
 */
export function badPixels(field: MotionField, width: number, height: number, truth: DisparityTruth): BadPixels {
  const { name, disparity, mask } = truth;
  if (truth.width !== width || truth.height !== height) {
    throw new InputError(`${name} is ${truth.width}x${truth.height}, the frames are ${width}x${height}`);
  }
  let pels = 0;
  let sum = 0;
  let above1 = 0;
  let above2 = 0;
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / field.blockSize) * field.blockColumns;
    for (let x = 0; x < width; x++) {
      const pel = y * width + x;
      if (!(disparity[pel]! > 0) || mask?.[pel] === 0) continue;
      const at = (row + Math.floor(x / field.blockSize)) * field.candidatesPerBlock;
      const error = Math.abs(-field.dx[at]! - disparity[pel]!);
      pels++;
      sum += error;
      if (error > 1) above1++;
      if (error > 2) above2++;
    }
  }
  if (pels === 0) throw new InputError(`${name} knows the disparity of no pel that the mask leaves`);
  return { above1: above1 / pels, above2: above2 / pels, meanError: sum / pels, pels };
}
