import type { PictureType } from '../../bitstream/tables/macroblock-codes.js';
import { typeScale } from '../rate-control/picture-complexity.js';
import { COARSEST_SCALE } from './macroblock-scales.js';

/**
 * The quantizer_scale of P pictures at a quality 0..100, from 31 (quality 0) to 1 (quality 100) and in general not whole: equal steps of quality are
 * equal factors of the scale, 3.5 % each.
 */
export function scaleOfQuality(quality: number): number {
  return COARSEST_SCALE ** (1 - quality / 100);
}

/** The quality 0..100 that has a quantizer_scale 1..31. */
export function qualityOfScale(scale: number): number {
  return Math.max(0, Math.min(100, 100 * (1 - Math.log(scale) / Math.log(COARSEST_SCALE))));
}

/** The mean quantizer_scale of a picture of a type at a quality. */
export function qualityScale(type: PictureType, quality: number): number {
  return typeScale(type, scaleOfQuality(quality));
}
