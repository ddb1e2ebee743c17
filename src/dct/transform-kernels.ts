import { referenceCodeCoefficients } from '../bitstream/syntax/code-coefficients.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import {
  QUANTIZER_MAX_LEVEL_OFFSET,
  QUANTIZER_ROUNDING_OFFSET,
  QUANTIZER_SCALE_OFFSET,
  type TransformKernels,
} from '../kernels/transform-kernels.js';
import { forwardDct8x8 } from './forward-dct.js';
import { inverseDct8x8 } from './inverse-dct.js';
import { dequantizeMagnitude, quantizeIntraDc, quantizeMagnitude, SCAN } from './quantize.js';
import { chooseLevels, type TrellisCoefficient } from './trellis.js';

/** Entries of the run/level bit table per run, and the bits of what lies beyond it (see bitstream/block-codes.ts). */
const LENGTHS_STRIDE = 128;
const LONG_ESCAPE_BITS = 28;
const END_OF_BLOCK_BITS = 2;

/** The definition of the transform kernels. */
export function referenceTransformKernels(memory: KernelMemory): TransformKernels {
  const { u8, i16, i32, f32 } = memory;

  /** Bits of the run/level pairs in scan order from position `first`, end_of_block included. */
  const runLevelBits = (levels: number, lengths: number, first: number, end: number): number => {
    let bits = END_OF_BLOCK_BITS;
    let run = 0;
    for (let position = first; position < end; position++) {
      const magnitude = Math.abs(i16[levels / 2 + position]);
      if (magnitude === 0) {
        run++;
        continue;
      }
      bits += magnitude < LENGTHS_STRIDE ? u8[lengths + run * LENGTHS_STRIDE + magnitude] : LONG_ESCAPE_BITS;
      if (position === 0 && magnitude === 1) bits -= 1; // dct_coeff_first
      run = 0;
    }
    return bits;
  };

  /** The quantized level of the AC or non-intra coefficient at a scan position, without its sign. */
  const levelMagnitude = (coefficients: number, quantizer: number, at: number, intra: boolean): number => {
    const magnitude = Math.abs(i16[coefficients / 2 + at]);
    const reciprocal = f32[quantizer / 4 + at];
    const rounding = f32[(quantizer + QUANTIZER_ROUNDING_OFFSET) / 4 + at];
    const maxLevel = i16[(quantizer + QUANTIZER_MAX_LEVEL_OFFSET) / 2 + at];
    const level = Math.min(quantizeMagnitude(magnitude, reciprocal, rounding), maxLevel);
    return reconstructedMagnitude(level, quantizer, at, intra) === 0 ? 0 : level;
  };

  /** |reconstruction| of a level magnitude. */
  const reconstructedMagnitude = (level: number, quantizer: number, at: number, intra: boolean): number => {
    const scale = i16[(quantizer + QUANTIZER_SCALE_OFFSET) / 2 + at];
    return level === 0 ? 0 : dequantizeMagnitude(level, scale, intra);
  };

  /** Stores a block of level magnitudes by scan position, with signs and reconstruction, and fills its cost. */
  const finishBlock = (
    magnitudes: ArrayLike<number>,
    levels: number,
    reconstruction: number,
    coefficients: number,
    quantizer: number,
    lengths: number,
    intra: 0 | 1,
    cost: number,
  ): number => {
    let distortion = 0;
    let energy = 0;
    let magnitudeSum = 0;
    let end = 0;
    for (let position = 0; position < 64; position++) {
      const at = SCAN[position];
      const coefficient = i16[coefficients / 2 + at];
      let level: number;
      let value: number;
      if (intra === 1 && position === 0) {
        level = quantizeIntraDc(coefficient);
        value = level * 8;
        const error = coefficient + 8192 - value * 8;
        distortion += error * error;
        energy += error * error;
      } else {
        level = magnitudes[position];
        value = reconstructedMagnitude(level, quantizer, at, intra === 1);
        distortion += (Math.abs(coefficient) - value * 8) ** 2;
        energy += coefficient * coefficient;
        if (coefficient < 0) {
          level = -level;
          value = -value;
        }
      }
      i16[levels / 2 + position] = level;
      i16[reconstruction / 2 + at] = value;
      magnitudeSum += Math.abs(value);
      if (level !== 0) end = position + 1;
    }
    i32[cost / 4] = distortion;
    i32[cost / 4 + 1] = energy;
    i32[cost / 4 + 2] = end === 0 && intra === 0 ? 0 : runLevelBits(levels, lengths, intra, end);
    i32[cost / 4 + 3] = magnitudeSum;
    return end;
  };

  return {
    forwardDct(coefficients, source, sourceStride, prediction, predictionStride) {
      const residual = new Int16Array(64);
      for (let y = 0; y < 8; y++) {
        for (let x = 0; x < 8; x++) {
          residual[y * 8 + x] = u8[source + y * sourceStride + x] - u8[prediction + y * predictionStride + x];
        }
      }
      i16.set(forwardDct8x8(residual), coefficients / 2);
    },

    quantizeBlock(levels, reconstruction, coefficients, quantizer, lengths, intra, cost) {
      const magnitudes = SCAN.map(at => levelMagnitude(coefficients, quantizer, at, intra === 1));
      return finishBlock(magnitudes, levels, reconstruction, coefficients, quantizer, lengths, intra, cost);
    },

    quantizeBlockByTrellis(levels, reconstruction, coefficients, quantizer, lengths, intra, cost, lambda) {
      const saving = (at: number, level: number): number => {
        const magnitude = Math.abs(i16[coefficients / 2 + at]);
        const error = magnitude - 8 * reconstructedMagnitude(level, quantizer, at, intra === 1);
        return error * error - magnitude * magnitude;
      };
      const candidates: TrellisCoefficient[] = [];
      for (let position: number = intra; position < 64; position++) {
        const at = SCAN[position];
        const level = levelMagnitude(coefficients, quantizer, at, intra === 1);
        if (level === 0) continue;
        const usable = level > 1 && reconstructedMagnitude(level - 1, quantizer, at, intra === 1) > 0;
        const lower = usable ? level - 1 : 0;
        candidates.push({ position, level, distortion: saving(at, level), lower, lowerDistortion: saving(at, lower) });
      }
      const bits = (run: number, level: number): number =>
        level < LENGTHS_STRIDE ? u8[lengths + run * LENGTHS_STRIDE + level] : LONG_ESCAPE_BITS;
      const magnitudes = chooseLevels(candidates, bits, intra, lambda);
      return finishBlock(magnitudes, levels, reconstruction, coefficients, quantizer, lengths, intra, cost);
    },

    codeCoefficients: referenceCodeCoefficients(memory),

    reconstructBlock(target, targetStride, prediction, predictionStride, reconstruction) {
      const residual = inverseDct8x8(i16.subarray(reconstruction / 2, reconstruction / 2 + 64));
      for (let y = 0; y < 8; y++) {
        for (let x = 0; x < 8; x++) {
          const value = u8[prediction + y * predictionStride + x] + residual[y * 8 + x];
          u8[target + y * targetStride + x] = Math.max(0, Math.min(255, value));
        }
      }
    },
  };
}
