import type { PictureType } from '../../bitstream/tables/macroblock-codes.js';

/** Pictures that others are predicted from deserve a finer quantiser: theirs is coarser, in quantizer_scale steps. */
const B_PICTURE_FACTOR = 1.4;
const B_PICTURE_OFFSET = 0.5;

/** quantizer_scale of a picture of a type, where P pictures have `q`. */
export function pictureQuantizerScale(type: PictureType, q: number): number {
  if (type !== 'B') return q;
  return Math.max(1, Math.min(31, Math.round(q * B_PICTURE_FACTOR + B_PICTURE_OFFSET)));
}
