import { InputError } from '../../errors.js';
import type { MotionField } from '../../motion/estimator.js';

/** What is known of a rectified stereo pair, over the left picture in raster order. */
export interface DisparityTruth {
  /** What messages call it. */
  readonly name: string;
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** In pels, 0 or less where it is not known. A pel at (x, y) of the left picture is at (x - disparity, y) of the right. */
  readonly disparity: Float32Array;
  /** 0 for pels that are not to be counted; all are without it. */
  readonly mask?: ArrayLike<number>;
}

/** How far estimated disparity is from the truth. */
export interface BadPixels {
  /** Share of pels, 0..1, that are more than 1 and more than 2 pels off. */
  readonly above1: number;
  readonly above2: number;
  /** Mean of the absolute error in pels. */
  readonly meanError: number;
  /** Pels that were compared: of known disparity and not masked. */
  readonly pels: number;
}

/**
 * The bad pixels of a field that was searched with the left picture as `current` and the right one as `reference`: a
 * block's match lies to the left of it, so its disparity is -dx. What dy says is left alone: rectified pictures have none.
 * Throws an InputError where the sizes differ or no pel is left to compare.
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
