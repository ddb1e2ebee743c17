// Gray pictures from colour.
import { InputError } from '../errors.js';
import type { GrayPicture } from './matcher.js';

/** Weights of red, green and blue in 1/256: 0.299, 0.587 and 0.114. */
const WEIGHTS = [77, 150, 29] as const;

/** The brightness of an image of 3 bytes a pel: R, G, B. Throws InputError if `rgb` has another length or type. */
export function grayPicture(width: number, height: number, rgb: Uint8Array): GrayPicture {
  if (!(rgb instanceof Uint8Array)) throw new InputError('the pels are no Uint8Array of RGB');
  if (!(width > 0) || rgb.length !== 3 * width * height) {
    throw new InputError(`an image of ${width}x${height} has ${3 * width * height} bytes of RGB, not ${rgb.length}`);
  }
  const [red, green, blue] = WEIGHTS;
  const pels = new Uint8Array(width * height);
  for (let pel = 0; pel < pels.length; pel++) {
    pels[pel] = (red * rgb[3 * pel]! + green * rgb[3 * pel + 1]! + blue * rgb[3 * pel + 2]! + 128) >> 8;
  }
  return { width, height, pels };
}
