// How much of the scale factors holds at a bit rate.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { PictureType } from '../../bitstream/picture-type.js';

/**
 * At a bit rate, the factors are brought nearer to 1 below the first of these scales, and above the second. At scales 1
 * and 31 all are 1. Not measured.
 */
const LAST_LEVELLED_SCALE = 1.5;
const FIRST_LEVELLED_SCALE = 23;

/**
 * How much of the factors holds at a bit rate, 0..1: none at the finest scale and at the coarsest one, so that the bits
 * of a picture fall steadily to the least possible. `scale` is that of the row. For B pictures it is that of the anchor
 * before, since their factors follow from the scale of their anchors.
 */
export function factorPartAt(type: PictureType, scale: number): number {
  const fine = type === 'B' ? 1 : (scale - 1) / (LAST_LEVELLED_SCALE - 1);
  const coarse = (MAX_QUANTIZER_SCALE - scale) / (MAX_QUANTIZER_SCALE - FIRST_LEVELLED_SCALE);
  return Math.max(0, Math.min(1, fine, coarse));
}
