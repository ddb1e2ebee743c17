// Checks that a picture's size is one that MPEG-1 can hold.
import { MAX_HEIGHT, MAX_WIDTH } from '../bitstream/limits.js';
import { InputError } from '../errors.js';

/** Throws an InputError unless a picture of `width` x `height` pels fits MPEG-1; the message starts with `name`. */
export function checkPictureSize(name: string, width: number, height: number): void {
  if (width >= 1 && width <= MAX_WIDTH && height >= 1 && height <= MAX_HEIGHT) return;
  throw new InputError(`${name} is ${width}x${height}; MPEG-1 pictures are 1x1 to ${MAX_WIDTH}x${MAX_HEIGHT} pels`);
}
