// Quantization and dequantization of a block, and what its levels cost.
import { END_OF_BLOCK, LONG_ESCAPE_BITS, RUN_LEVEL_TABLE_STRIDE } from '../bitstream/tables/block-codes.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { QUANTIZER } from '../kernels/records/quantizer.js';
import { SCAN } from './scan.js';

/** A step of a quantized DC of an intra block, in forward coefficients (times 8). */
export const DC_STEP_SHIFT = 6;
export const DC_STEP = 1 << DC_STEP_SHIFT;
/** What a mean of 128 adds to the DC coefficient; intra blocks are transformed without it. */
export const DC_OFFSET = 128 * DC_STEP;

/**
 * |reconstruction| of a non-zero AC or non-intra level, `scale` = quantizer_scale * weight: truncated, then made odd
 * toward zero; ISO/IEC 11172-2 §2.4.4.1 (intra) and §2.4.4.2. Can be 0 for tiny weights; such a level must not be
 * used.
 */
export function dequantizeMagnitude(magnitude: number, scale: number, intra: boolean): number {
  const truncated = intra ? (2 * magnitude * scale) >> 4 : ((2 * magnitude + 1) * scale) >> 4;
  return truncated === 0 ? 0 : (truncated - 1) | 1;
}

/**
 * Level of a coefficient (times 8): its magnitude in steps plus `rounding`, truncated, in single precision; no
 * clipping.
 */
export function quantizeMagnitude(magnitude: number, reciprocal: number, rounding: number): number {
  return Math.max(0, Math.trunc(Math.fround(Math.fround(magnitude * reciprocal) + rounding)));
}

/** Quantized DC 0..255 of an intra block, from its DC coefficient (times 8) less the mean of 128; step 8, rounded. */
function quantizeIntraDc(coefficient: number): number {
  return Math.max(0, Math.min(255, (coefficient + DC_OFFSET + DC_STEP / 2) >> DC_STEP_SHIFT));
}

/**
 * Where the parts of a block to be quantized lie in kernel memory; see MACROBLOCK_TRIAL, QUANTIZER and
 * `runLevelLengths`.
 */
export interface BlockPlaces {
  readonly coefficients: number;
  readonly levels: number;
  readonly reconstruction: number;
  readonly quantizer: number;
  readonly lengths: number;
}

/** What a quantized block costs. */
export interface BlockCost {
  /** Scan position after the last non-zero level, 0 for an empty block. */
  readonly end: number;
  /** Squared error of the reconstruction in forward coefficients: SQUARED_ERROR_SCALE times that in pels. */
  readonly distortion: number;
  /** The same if every level (but an intra DC) were zero. */
  readonly energy: number;
  /** Bits of the run/level pairs, end_of_block included; 0 for an empty non-intra block; no DC. */
  readonly bits: number;
  /** Sum of |reconstruction|. */
  readonly magnitude: number;
}

/** Quantizes one block. */
export class BlockQuantizer {
  readonly #memory: KernelMemory;
  readonly #places: BlockPlaces;
  readonly #intra: boolean;
  readonly #quantizer: ReturnType<typeof QUANTIZER.at>;

  constructor(memory: KernelMemory, places: BlockPlaces, intra: boolean) {
    this.#memory = memory;
    this.#places = places;
    this.#intra = intra;
    this.#quantizer = QUANTIZER.at(memory, places.quantizer);
  }

  /** The coefficient at a place (`u * 8 + v`) of the block. */
  coefficient(place: number): number {
    return this.#memory.i16[this.#places.coefficients / 2 + place];
  }

  /** The quantized level of the AC or non-intra coefficient at a place, without its sign. */
  levelMagnitude(place: number): number {
    const { reciprocal, rounding, maxLevel } = this.#quantizer;
    const magnitude = Math.abs(this.coefficient(place));
    const level = Math.min(quantizeMagnitude(magnitude, reciprocal[place], rounding[place]), maxLevel[place]);
    return this.reconstructedMagnitude(level, place) === 0 ? 0 : level;
  }

  /** |reconstruction| of a level magnitude at a place. */
  reconstructedMagnitude(level: number, place: number): number {
    return level === 0 ? 0 : dequantizeMagnitude(level, this.#quantizer.scale[place], this.#intra);
  }

  /** Bits of a level magnitude after a run of zeros, as dct_coeff_next. */
  runLevelBits(run: number, level: number): number {
    if (level >= RUN_LEVEL_TABLE_STRIDE) return LONG_ESCAPE_BITS;
    return this.#memory.u8[this.#places.lengths + run * RUN_LEVEL_TABLE_STRIDE + level];
  }

  /** Stores level magnitudes given by scan position, with their signs and reconstruction. */
  store(magnitudes: ArrayLike<number>): BlockCost {
    const { i16 } = this.#memory;
    const { levels, reconstruction } = this.#places;
    let [end, distortion, energy, magnitude] = [0, 0, 0, 0];
    for (let position = 0; position < 64; position++) {
      const place = SCAN[position];
      const coefficient = this.coefficient(place);
      let level: number;
      let value: number;
      if (this.#intra && position === 0) {
        level = quantizeIntraDc(coefficient);
        value = level * 8;
        const error = coefficient + DC_OFFSET - level * DC_STEP;
        distortion += error * error;
        energy += error * error;
      } else {
        level = magnitudes[position];
        value = this.reconstructedMagnitude(level, place);
        distortion += (Math.abs(coefficient) - value * 8) ** 2;
        energy += coefficient * coefficient;
        if (coefficient < 0) {
          level = -level;
          value = -value;
        }
      }
      i16[levels / 2 + position] = level;
      i16[reconstruction / 2 + place] = value;
      magnitude += Math.abs(value);
      if (level !== 0) end = position + 1;
    }
    const bits = end === 0 && !this.#intra ? 0 : this.#bitsOfPairs(end);
    return { end, distortion, energy, bits, magnitude };
  }

  /** Bits of the run/level pairs before scan position `end`, and end_of_block. */
  #bitsOfPairs(end: number): number {
    let bits = END_OF_BLOCK.length;
    let run = 0;
    for (let position = this.#intra ? 1 : 0; position < end; position++) {
      const magnitude = Math.abs(this.#memory.i16[this.#places.levels / 2 + position]);
      if (magnitude === 0) {
        run++;
        continue;
      }
      bits += this.runLevelBits(run, magnitude);
      if (position === 0 && magnitude === 1) bits -= 1; // dct_coeff_first
      run = 0;
    }
    return bits;
  }
}

/** Quantizes a block: each coefficient takes its quantized level. */
export function quantizeBlock(memory: KernelMemory, places: BlockPlaces, intra: boolean): BlockCost {
  const quantizer = new BlockQuantizer(memory, places, intra);
  return quantizer.store(SCAN.map(place => quantizer.levelMagnitude(place)));
}
