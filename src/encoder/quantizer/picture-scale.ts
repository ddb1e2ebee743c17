import type { PictureType } from '../../bitstream/picture-type.js';

/** Pictures that others are predicted from deserve a finer quantizer: theirs is coarser, in quantizer_scale steps. */
const B_PICTURE_FACTOR = 1.4;
const B_PICTURE_OFFSET = 0.5;

/** quantizer_scale of a picture of a type, where P pictures have `q`. */
export function pictureQuantizerScale(type: PictureType, q: number): number {
  if (type !== 'B') return q;
  return Math.max(1, Math.min(31, Math.round(q * B_PICTURE_FACTOR + B_PICTURE_OFFSET)));
}

/** The least base: anchors have scale 1 from 1 on down, and B pictures come down to it here. */
export const MIN_BASE = 0.5;

/** The scale of a picture of a type where P pictures have `base`, MIN_BASE..31, which need not be whole. */
export function pictureScale(type: PictureType, base: number): number {
  if (base < 1) return 1 + ((pictureQuantizerScale(type, 1) - 1) * (base - MIN_BASE)) / (1 - MIN_BASE);
  const below = Math.floor(base);
  const low = pictureQuantizerScale(type, below);
  if (below >= 31) return low;
  return low + (base - below) * (pictureQuantizerScale(type, below + 1) - low);
}
