// How large pictures and image files may be.
import { MAX_HEIGHT, MAX_WIDTH } from '../bitstream/limits.js';
import { InputError } from '../errors.js';

/** Pels of the largest picture. */
export const MAX_PELS = MAX_WIDTH * MAX_HEIGHT;
/**
 * Bytes of the largest image file that is read. The largest picture takes 18 bytes a pel in the longest format, plain
 * PPM of 16 bits; the rest is for what else such files hold, such as previews.
 */
export const MAX_IMAGE_BYTES = 24 * MAX_PELS;
/** Pels of the largest picture that is read to be cropped or scaled, which bounds the memory. */
export const MAX_CONVERTED_PELS = 1 << 26;

/** Throws an InputError unless a picture of `width` x `height` pels fits MPEG-1; the message starts with `name`. */
export function checkPictureSize(name: string, width: number, height: number): void {
  if (width >= 1 && width <= MAX_WIDTH && height >= 1 && height <= MAX_HEIGHT) return;
  const canBeScaled = width >= 1 && height >= 1 && width * height <= MAX_CONVERTED_PELS;
  const legal = `MPEG-1 pictures are 1x1 to ${MAX_WIDTH}x${MAX_HEIGHT} pels`;
  throw new InputError(
    named => `${name} is ${width}x${height}; ${legal}${canBeScaled ? `: ${named('scale')} makes it smaller` : ''}`,
  );
}

/** The same for a picture that will get another size: it may have up to `MAX_CONVERTED_PELS`. */
export function checkLargePictureSize(name: string, width: number, height: number): void {
  if (width >= 1 && height >= 1 && width * height <= MAX_CONVERTED_PELS) return;
  throw new InputError(`${name} is ${width}x${height}; pictures of up to ${MAX_CONVERTED_PELS} pels can be scaled`);
}
