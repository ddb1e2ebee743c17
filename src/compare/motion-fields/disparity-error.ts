// Compares a motion field with the true disparity of a stereo pair.
import { InputError } from '../../errors.js';
import type { MotionField } from '../../motion/estimator.js';
import { type BadPixels, badPixelsOf, type DisparityTruth } from '../../stereo/disparity-quality.js';

/**
 * The errors of a field with the left picture as `current` and the right one as `reference`: a block's match lies to
 * its left, so its disparity is -dx. dy is ignored: in rectified pictures it is 0. Throws an InputError if the sizes
 * differ or no pel can be compared.
 */
export function badPixels(field: MotionField, width: number, height: number, truth: DisparityTruth): BadPixels {
  const { name, width: truthWidth, height: truthHeight } = truth;
  if (truthWidth !== width || truthHeight !== height) {
    throw new InputError(`${name} is ${truthWidth}x${truthHeight}, the frames are ${width}x${height}`);
  }
  const { blockSize, blockColumns, candidatesPerBlock, dx } = field;
  return badPixelsOf((x, y) => {
    const block = Math.floor(y / blockSize) * blockColumns + Math.floor(x / blockSize);
    return -dx[block * candidatesPerBlock]!;
  }, truth);
}
