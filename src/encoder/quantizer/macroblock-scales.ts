// Gives macroblocks whole quantizer_scales whose mean is the picture scale.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { PictureType } from '../../bitstream/picture-type.js';
import { clampScale } from './picture-scale.js';

/**
 * With scale factors, a macroblock keeps the scale of the one before if that differs from the wanted one by less than
 * this part: a change takes 5 bits and a longer macroblock_type. Of 0, 0.08, 0.15, 0.2, 0.28 and 0.36 the best by SSIM
 * with adaptive quantization (1.1 %).
 */
const MAX_KEPT_DEVIATION = 0.2;
/**
 * At a bit rate, the factors are brought nearer to 1 below the first of these scales, and above the second. At scales 1
 * and 31 all are 1. Not measured.
 */
const LAST_LEVELLED_SCALE = 1.5;
const FIRST_LEVELLED_SCALE = 23;
/** By which part of a picture the band moves from picture to picture: the golden section spreads the places evenly. */
const BAND_STEP = (Math.sqrt(5) - 1) / 2;

/**
 * The whole quantizer_scales of a picture's macroblocks. A wanted scale between two whole ones is made of a band of
 * macroblocks with the coarser scale and a rest with the finer: each change of scale costs bits. The band moves from
 * picture to picture. A finer wanted scale never makes any macroblock coarser.
 *
 *     3.4   |.....####|   3 .   4 #   40 % of the macroblocks; the next picture:   |##.....##|
 */
export class MacroblockScales {
  readonly #factors: Float64Array | undefined;
  readonly #count: number;
  readonly #start: number;

  /** For a picture of `count` macroblocks; `factors` are their scale factors, undefined: all 1. */
  constructor(count: number, codedNumber: number, factors: Float64Array | undefined) {
    this.#count = count;
    this.#start = Math.floor(((codedNumber * BAND_STEP) % 1) * count);
    this.#factors = factors;
  }

  /** The scale factor of macroblock `address`, in raster order. */
  factor(address: number): number {
    return this.#factors === undefined ? 1 : this.#factors[address]!;
  }

  /**
   * The whole quantizer_scale of macroblock `address`. `scale` is that of the whole picture or row, and need not be
   * whole; `previous` is that of the macroblock before in the slice, if any. `factorPart`, 0..1: how much of the
   * factors holds; with 0 all are 1.
   */
  whole(address: number, scale: number, previous: number | undefined, factorPart = 1): number {
    const wanted = scale * (1 + factorPart * (this.factor(address) - 1));
    const isNear = previous !== undefined && Math.abs(previous / wanted - 1) < MAX_KEPT_DEVIATION;
    if (isNear && this.#factors && factorPart > 0) return previous;
    const threshold = (((address + this.#start) % this.#count) + 0.5) / this.#count;
    return clampScale(Math.floor(wanted + 1 - threshold));
  }
}

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
