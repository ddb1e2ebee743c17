// The picture scale: the quantizer_scale of a picture by its type, derived from the base scale.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { PictureType } from '../../bitstream/picture-type.js';

/** The scale of B pictures by the base scale. Nothing is predicted from them, so they may be coarser, at least by 1. */
interface BPictureScale {
  readonly factor: number;
  readonly offset: number;
}

/** At a bit rate, and where macroblocks have weights; not measured. */
const B_PICTURE_SCALE: BPictureScale = { factor: 1.4, offset: 0.5 };
/**
 * At a constant scale or quality without weights of macroblocks. Fine scales leave anchors little that they could pass
 * on, so there B pictures are hardly coarser (docs/decisions/picture-scales.md).
 */
export const CONSTANT_B_PICTURE_SCALE: BPictureScale = { factor: 1.55, offset: -0.9 };

/**
 * The smallest base scale. Anchors have scale 1 at all base scales up to 1; the scale of B pictures falls to 1 between
 * 1 and this.
 */
export const MIN_BASE_SCALE = 0.5;

/** The whole quantizer_scale of a picture of a type. `baseScale`, that of I and P pictures, is whole, too: 1..31. */
export function wholePictureScale(type: PictureType, baseScale: number, ofB = B_PICTURE_SCALE): number {
  if (type !== 'B') return baseScale;
  return clampScale(Math.round(Math.max(baseScale + 1, baseScale * ofB.factor + ofB.offset)));
}

/**
 * The mean quantizer_scale of a picture of a type, interpolated between whole ones. `baseScale` is the mean scale of P
 * pictures, MIN_BASE_SCALE..31, which need not be whole.
 */
export function meanPictureScale(type: PictureType, baseScale: number, ofB = B_PICTURE_SCALE): number {
  if (baseScale < 1) {
    return 1 + ((wholePictureScale(type, 1, ofB) - 1) * (baseScale - MIN_BASE_SCALE)) / (1 - MIN_BASE_SCALE);
  }
  const below = Math.floor(baseScale);
  const low = wholePictureScale(type, below, ofB);
  if (below >= MAX_QUANTIZER_SCALE) return low;
  return low + (baseScale - below) * (wholePictureScale(type, below + 1, ofB) - low);
}

/** The legal scale that is nearest to a number. */
export function clampScale(scale: number): number {
  return Math.max(1, Math.min(MAX_QUANTIZER_SCALE, scale));
}
