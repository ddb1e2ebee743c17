import { MAX_LEVEL } from '../bitstream/block-codes.js';
import { dequantizeMagnitude } from '../kernels/reference/quantize.js';
import {
  QUANTISER_BYTES,
  QUANTISER_MAX_LEVEL_OFFSET,
  QUANTISER_ROUNDING_OFFSET,
  QUANTISER_SCALE_OFFSET,
} from '../kernels/transform-kernels.js';

/** Largest |reconstruction| kept away from the clipping range -2048..2047 of ISO/IEC 11172-2 §2.4.4: some decoders do not clip. */
const MAX_RECONSTRUCTION = 2047;

/** What makes a quantiser: one quantizer_scale, one matrix, one kind of block. */
export interface QuantiserParameters {
  /** 1..31. */
  readonly quantizerScale: number;
  /** 64 weights 1..255, column by column. */
  readonly weights: Uint8Array;
  readonly intra: boolean;
  /** Added before truncation, in levels: 0.5 rounds to the nearest multiple of the step, less leaves a wider dead zone. */
  readonly rounding: number;
}

/** The quantiser record (see transform-kernels.ts) as bytes. */
export function quantiserRecord(parameters: QuantiserParameters): Uint8Array {
  const buffer = new ArrayBuffer(QUANTISER_BYTES);
  const reciprocal = new Float32Array(buffer, 0, 64);
  const rounding = new Float32Array(buffer, QUANTISER_ROUNDING_OFFSET, 64);
  const scale = new Int16Array(buffer, QUANTISER_SCALE_OFFSET, 64);
  const maxLevel = new Int16Array(buffer, QUANTISER_MAX_LEVEL_OFFSET, 64);
  for (let i = 0; i < 64; i++) {
    const step = parameters.quantizerScale * parameters.weights[i]!;
    reciprocal[i] = 1 / step;
    rounding[i] = parameters.rounding;
    scale[i] = step;
    maxLevel[i] = largestLevel(step, parameters.intra);
  }
  return new Uint8Array(buffer);
}

/** The largest level 0..255 whose reconstruction stays within MAX_RECONSTRUCTION. */
function largestLevel(step: number, intra: boolean): number {
  let level = Math.min(MAX_LEVEL, Math.ceil(((MAX_RECONSTRUCTION + 1) * 8) / step));
  while (level > 0 && dequantizeMagnitude(level, step, intra) > MAX_RECONSTRUCTION) level--;
  return level;
}
