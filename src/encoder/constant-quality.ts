import type { PictureType } from '../bitstream/macroblock-codes.js';
import { typeScale } from './rate-control/picture-complexity.js';

/** The coarsest quantizer_scale, which quality 0 stands for; 100 stands for 1. */
const COARSEST_SCALE = 31;
/** Where bands start from picture to picture: the golden section spreads them evenly. */
const BAND_STEP = (Math.sqrt(5) - 1) / 2;

/**
 * The quantizer_scale of P pictures at a quality 0..100, between 31 and 1 and in general not whole: equal steps of quality are
 * equal factors of the scale, 3.5 % each.
 */
export function scaleOfQuality(quality: number): number {
  return COARSEST_SCALE ** (1 - quality / 100);
}

/** The mean quantizer_scale of a picture of a type at a quality. */
export function qualityScale(type: PictureType, quality: number): number {
  return typeScale(type, scaleOfQuality(quality));
}

/**
 * Whole scales, one a macroblock in raster order, whose mean is that of `wanted`. A scale between two whole ones becomes a band of
 * the coarser and a rest of the finer: a change of scale costs bits, so there are few. The band's place changes with
 * `codedNumber`. A finer `wanted` never makes any macroblock coarser.
 *
 *     3.4   |.....####|   3 .   4 #   40 % of the macroblocks; the next picture:   |##.....##|
 */
export function wholeScales(wanted: Float64Array, codedNumber: number): Uint8Array {
  const count = wanted.length;
  const start = Math.floor(((codedNumber * BAND_STEP) % 1) * count);
  return Uint8Array.from(wanted, (scale, address) => {
    const threshold = (((address + start) % count) + 0.5) / count;
    return Math.max(1, Math.min(COARSEST_SCALE, Math.floor(scale + 1 - threshold)));
  });
}
