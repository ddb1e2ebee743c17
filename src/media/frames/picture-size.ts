import { InputError } from '../../errors.js';

/** horizontal_size of the sequence header has 12 bits, and 0 is forbidden; ISO/IEC 11172-2 §2.4.3.2. */
export const MAX_WIDTH = 4095;
/** slice_start_codes reach 0xAF: 175 rows of 16 pels; ISO/IEC 11172-2 §2.4.2.5. */
export const MAX_HEIGHT = 2800;

/** Throws an InputError unless a picture of `width` x `height` pels fits MPEG-1; `what` names it in the message. */
export function checkPictureSize(what: string, width: number, height: number): void {
  if (width >= 1 && width <= MAX_WIDTH && height >= 1 && height <= MAX_HEIGHT) return;
  throw new InputError(`${what} is ${width}x${height}; MPEG-1 pictures are 1x1 to ${MAX_WIDTH}x${MAX_HEIGHT} pels`);
}
