// Converts between the quality 0..100 and the base scale.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import { log2, power } from '../../portable-math.js';

/**
 * The base scale of a quality 0..100, from 31 (quality 0) to 1 (quality 100); in general not whole. Equal steps of
 * quality are equal factors of the scale, 3.5 % each.
 */
export function scaleOfQuality(quality: number): number {
  return power(MAX_QUANTIZER_SCALE, 1 - quality / 100);
}

/** The quality 0..100 of a base scale 1..31. */
export function qualityOfScale(baseScale: number): number {
  return Math.max(0, Math.min(100, 100 * (1 - log2(baseScale) / log2(MAX_QUANTIZER_SCALE))));
}
