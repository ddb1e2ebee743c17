import { MAX_LEVEL } from '../bitstream/tables/block-codes.js';
import {
  QUANTIZER_BYTES,
  QUANTIZER_DEAD_ZONE_OFFSET,
  QUANTIZER_MAX_LEVEL_OFFSET,
  QUANTIZER_ROUNDING_OFFSET,
  QUANTIZER_SCALE_OFFSET,
} from '../kernels/transform-kernels.js';
import { dequantizeMagnitude, quantizeMagnitude } from './quantize.js';

/** Largest |reconstruction| kept away from the clipping range -2048..2047 of ISO/IEC 11172-2 §2.4.4: some decoders do not clip. */
const MAX_RECONSTRUCTION = 2047;

/** Most that is made up for, in steps: with more, the smallest steps (below 4 coefficient units) would turn nothing into level 1. */
const MAX_SHORTFALL = 0.25;

/** What makes a quantizer: one quantizer_scale, one matrix, one kind of block. */
export interface QuantizerParameters {
  /** 1..31. */
  readonly quantizerScale: number;
  /** 64 weights 1..255, column by column. */
  readonly weights: Uint8Array;
  readonly intra: boolean;
  /**
   * Added before truncation, in levels, as if reconstructions were exact: 0.5 in intra blocks and 0 in others round to the nearest one, less
   * leaves a wider dead zone. How far reconstructions lie below that is added to it.
   */
  readonly rounding: number;
}

/** The quantizer record (see transform-kernels.ts) as bytes. */
export function quantizerRecord(parameters: QuantizerParameters): Uint8Array {
  const buffer = new ArrayBuffer(QUANTIZER_BYTES);
  const reciprocal = new Float32Array(buffer, 0, 64);
  const rounding = new Float32Array(buffer, QUANTIZER_ROUNDING_OFFSET, 64);
  const scale = new Int16Array(buffer, QUANTIZER_SCALE_OFFSET, 64);
  const maxLevel = new Int16Array(buffer, QUANTIZER_MAX_LEVEL_OFFSET, 64);
  const deadZone = new Int16Array(buffer, QUANTIZER_DEAD_ZONE_OFFSET, 64);
  for (let i = 0; i < 64; i++) {
    const step = parameters.quantizerScale * parameters.weights[i]!;
    reciprocal[i] = 1 / step;
    rounding[i] = parameters.rounding + Math.min(MAX_SHORTFALL, shortfall(step, parameters.intra));
    scale[i] = step;
    maxLevel[i] = largestLevel(step, parameters.intra);
    deadZone[i] = largestDropped(step, reciprocal[i]!, rounding[i]!);
  }
  return new Uint8Array(buffer);
}

/**
 * By how many steps truncation and oddification lower reconstructions (see {@link dequantizeMagnitude}), in the mean of the first two
 * levels. With even scales that is one coefficient unit: a quarter of the step of non-intra blocks at quantizer_scale 2.
 */
function shortfall(step: number, intra: boolean): number {
  const exact = (step / 8) * (intra ? 1 + 2 : 1.5 + 2.5);
  return (exact - dequantizeMagnitude(1, step, intra) - dequantizeMagnitude(2, step, intra)) / (2 * (step / 8));
}

/** The largest level 0..255 whose reconstruction stays within MAX_RECONSTRUCTION. */
function largestLevel(step: number, intra: boolean): number {
  let level = Math.min(MAX_LEVEL, Math.ceil(((MAX_RECONSTRUCTION + 1) * 8) / step));
  while (level > 0 && dequantizeMagnitude(level, step, intra) > MAX_RECONSTRUCTION) level--;
  return level;
}

/** The largest coefficient that is quantized to level 0, in the single precision of the kernels. */
function largestDropped(step: number, reciprocal: number, rounding: number): number {
  let magnitude = Math.max(0, Math.min(32767, Math.ceil((1 - rounding) * step)));
  while (magnitude > 0 && quantizeMagnitude(magnitude, reciprocal, rounding) > 0) magnitude--;
  while (magnitude < 32767 && quantizeMagnitude(magnitude + 1, reciprocal, rounding) === 0) magnitude++;
  return magnitude;
}
