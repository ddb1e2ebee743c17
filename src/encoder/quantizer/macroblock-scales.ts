import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';

/**
 * Where macroblocks have factors, the scale of the one before is kept while it is within this part of the wanted one: a change
 * takes 5 bits and a longer type. Of 0, 0.08, 0.15, 0.2, 0.28 and 0.36 the best by SSIM with adaptive quantization (1.1 %).
 */
const KEPT_PART = 0.2;
/** Where bands start from picture to picture: the golden section spreads them evenly. */
const BAND_STEP = (Math.sqrt(5) - 1) / 2;

/**
 * Whole quantizer_scales for the macroblocks of a picture, in the mean those wanted. A scale between two whole ones becomes a
 * band of the coarser and a rest of the finer: a change of scale costs bits, so there are few. The band's place changes from
 * picture to picture. A finer scale wanted never makes any macroblock coarser.
 *
 *     3.4   |.....####|   3 .   4 #   40 % of the macroblocks; the next picture:   |##.....##|
 */
export class MacroblockScales {
  readonly #factors: Float64Array | undefined;
  readonly #count: number;
  readonly #start: number;

  /** For a picture of `count` macroblocks; `factors`, one each, multiply what is wanted of the whole picture. */
  constructor(count: number, codedNumber: number, factors: Float64Array | undefined) {
    this.#count = count;
    this.#start = Math.floor(((codedNumber * BAND_STEP) % 1) * count);
    this.#factors = factors;
  }

  /** What macroblock `address`, in raster order, multiplies the picture's scale by. */
  factor(address: number): number {
    return this.#factors === undefined ? 1 : this.#factors[address]!;
  }

  /** The scale of macroblock `address` where `scale` is wanted in the mean of the picture; the one before had `current`, if any. */
  whole(address: number, scale: number, current: number | undefined): number {
    const isNear = current !== undefined && Math.abs(current / (scale * this.factor(address)) - 1) < KEPT_PART;
    if (isNear && this.#factors) return current;
    const threshold = (((address + this.#start) % this.#count) + 0.5) / this.#count;
    return Math.max(1, Math.min(MAX_QUANTIZER_SCALE, Math.floor(scale * this.factor(address) + 1 - threshold)));
  }
}

/** The products of two sets of factors; either may be left out, where all are 1. */
export function productOfFactors(one?: Float64Array, other?: Float64Array): Float64Array | undefined {
  if (!one || !other) return one ?? other;
  return one.map((factor, address) => factor * other[address]!);
}
