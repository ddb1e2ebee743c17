// Checks pictures of a stereo pair, and says how large they may be.
import { InputError } from '../errors.js';
import { inWords } from '../given-options.js';
import type { GrayPicture } from './matcher.js';

/** Throws an InputError unless a picture has the size that a matcher was made for, and all of its pels. */
export function requireSize(name: string, picture: GrayPicture, width: number, height: number): void {
  if (Object(picture) !== picture) throw new InputError(`${name} is ${inWords(picture)}, not { width, height, pels }`);
  if (picture.width !== width || picture.height !== height) {
    throw new InputError(`${name} is ${picture.width}x${picture.height}, not ${width}x${height}`);
  }
  if (!(picture.pels instanceof Uint8Array) || picture.pels.length !== width * height) {
    throw new InputError(`${name} of ${width}x${height} needs a Uint8Array of ${width * height} pels`);
  }
}
