// Writes quantizer records from quantizer_scale, matrix and rounding.
import { MAX_LEVEL } from '../bitstream/tables/block-codes.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { QUANTIZER } from '../kernels/records/quantizer.js';
import { dequantizeMagnitude, quantizeMagnitude } from './quantize.js';

/**
 * Largest |reconstruction| kept away from the clipping range -2048..2047 of ISO/IEC 11172-2 §2.4.4: some decoders do
 * not clip.
 */
const MAX_RECONSTRUCTION = 2047;

/**
 * Largest shortfall that rounding accounts for, in steps: more would quantize 0 to level 1 at the smallest steps
 * (below 4 units).
 */
const MAX_SHORTFALL = 0.25;

/** What makes a quantizer: one quantizer_scale, one matrix, one kind of block. */
export interface QuantizerParameters {
  /** 1..31. */
  readonly quantizerScale: number;
  /** 64 weights 1..255, column by column. */
  readonly weights: Uint8Array;
  readonly intra: boolean;
  /**
   * Added before truncation, in levels. 0.5 in intra blocks and 0 in others round to the nearest reconstruction; less
   * widens the dead zone. The shortfall by oddification is added to it.
   */
  readonly rounding: number;
}

/** Writes a QUANTIZER at `pointer`, in bytes, of a memory: four times the index in `f32`. */
export function writeQuantizer(
  { f32, i16 }: Pick<KernelMemory, 'f32' | 'i16'>,
  pointer: number,
  { quantizerScale, weights, intra, rounding: addedRounding }: QuantizerParameters,
): void {
  const { offsets } = QUANTIZER;
  const fill = (array: Float32Array | Int16Array, offset: number, from: number, value: number) => {
    const start = (pointer + offset) / array.BYTES_PER_ELEMENT;
    array.fill(value, start + from, start + 64);
  };
  for (let i = 0; i < 64; i++) {
    // Most matrices have few weights, in runs: each place gets the numbers of the last weight that was new.
    if (i > 0 && weights[i] === weights[i - 1]) continue;
    const step = quantizerScale * weights[i]!;
    const reciprocal = Math.fround(1 / step);
    const rounding = Math.fround(addedRounding + Math.min(MAX_SHORTFALL, shortfall(step, intra)));
    fill(f32, offsets.reciprocal, i, reciprocal);
    fill(f32, offsets.rounding, i, rounding);
    fill(i16, offsets.scale, i, step);
    fill(i16, offsets.maxLevel, i, maxUsableLevel(step, intra));
    fill(i16, offsets.deadZone, i, maxDroppedCoefficient(step, reciprocal, rounding));
  }
}

/**
 * How many steps reconstructions lose by truncation and oddification (see {@link dequantizeMagnitude}), as the mean
 * of the first two levels. With even scales that is one coefficient unit: a quarter of the step of non-intra blocks
 * at quantizer_scale 2.
 */
function shortfall(step: number, intra: boolean): number {
  const exact = (step / 8) * (intra ? 1 + 2 : 1.5 + 2.5);
  return (exact - dequantizeMagnitude(1, step, intra) - dequantizeMagnitude(2, step, intra)) / (2 * (step / 8));
}

/** The largest level 0..255 whose reconstruction stays within MAX_RECONSTRUCTION. */
function maxUsableLevel(step: number, intra: boolean): number {
  let level = Math.min(MAX_LEVEL, Math.ceil(((MAX_RECONSTRUCTION + 1) * 8) / step));
  while (level > 0 && dequantizeMagnitude(level, step, intra) > MAX_RECONSTRUCTION) level--;
  return level;
}

/** The largest coefficient that is quantized to level 0, in the single precision of the kernels. */
function maxDroppedCoefficient(step: number, reciprocal: number, rounding: number): number {
  let magnitude = Math.max(0, Math.min(32767, Math.ceil((1 - rounding) * step)));
  while (magnitude > 0 && quantizeMagnitude(magnitude, reciprocal, rounding) > 0) magnitude--;
  while (magnitude < 32767 && quantizeMagnitude(magnitude + 1, reciprocal, rounding) === 0) magnitude++;
  return magnitude;
}
