// Gives macroblocks whole quantizer_scales whose mean is the picture scale.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';

/**
 * With scale factors, a macroblock keeps the scale of the one before if that differs from the wanted one by less than
 * this part: a change takes 5 bits and a longer macroblock_type. Of 0, 0.08, 0.15, 0.2, 0.28 and 0.36 the best by SSIM
 * with adaptive quantization (1.1 %).
 */
export const MAX_KEPT_DEVIATION = 0.2;
/** By which part of a picture the band moves from picture to picture: the golden section spreads the places evenly. */
const BAND_STEP = (Math.sqrt(5) - 1) / 2;

/** The macroblock at which the band of a picture of `count` macroblocks begins, see `wholeScale`. */
export function bandStart(codedNumber: number, count: number): number {
  return Math.floor(((codedNumber * BAND_STEP) % 1) * count);
}

/** Whether a macroblock with a scale factor keeps the scale of the one before it in the slice. */
export function keepsScale(previous: number, wanted: number): boolean {
  return Math.abs(previous / wanted - 1) < MAX_KEPT_DEVIATION;
}

/**
 * The whole quantizer_scale of macroblock `address` of `count`, in raster order, of which `wanted` need not be whole. A
 * wanted scale between two whole ones is made of a band of macroblocks with the coarser scale and a rest with the
 * finer: each change of scale costs bits. The band, from `start` on, moves from picture to picture. A finer wanted
 * scale never makes any macroblock coarser.
 *
 *     3.4   |.....####|   3 .   4 #   40 % of the macroblocks; the next picture:   |##.....##|
 */
export function wholeScale(wanted: number, address: number, start: number, count: number): number {
  const threshold = (((address + start) % count) + 0.5) / count;
  return Math.max(1, Math.min(MAX_QUANTIZER_SCALE, Math.floor(wanted + 1 - threshold)));
}
