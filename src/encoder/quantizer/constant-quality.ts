import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';

/**
 * The quantizer_scale of P pictures at a quality 0..100, from 31 (quality 0) to 1 (quality 100) and in general not whole: equal steps of quality are
 * equal factors of the scale, 3.5 % each.
 */
export function scaleOfQuality(quality: number): number {
  return MAX_QUANTIZER_SCALE ** (1 - quality / 100);
}

/** The quality 0..100 that has a quantizer_scale 1..31. */
export function qualityOfScale(scale: number): number {
  return Math.max(0, Math.min(100, 100 * (1 - Math.log(scale) / Math.log(MAX_QUANTIZER_SCALE))));
}
