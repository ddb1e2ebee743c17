import type { KernelMemory } from '../kernels/kernel-memory.js';
import {
  type MacroblockKernels,
  PLANES_RECORD,
  PREDICTION_OFFSETS,
  PREDICTION_STRIDES,
  TRIAL_RECORD,
} from '../kernels/macroblock-kernels.js';
import type { PixelKernels } from '../kernels/pixel-kernels.js';
import type { TransformKernels } from '../kernels/transform-kernels.js';

const BLOCKS = 6;
const BLOCK_BYTES = 128;

/** A picture's planes. */
export type PlanesRecord = { readonly [Field in keyof typeof PLANES_RECORD]: number };

/** Reads the record at `pointer`. */
export function readPlanes(memory: KernelMemory, pointer: number): PlanesRecord {
  const words = memory.i32.subarray(pointer / 4, pointer / 4 + 5);
  return {
    y: words[PLANES_RECORD.y],
    u: words[PLANES_RECORD.u],
    v: words[PLANES_RECORD.v],
    lumaStride: words[PLANES_RECORD.lumaStride],
    chromaStride: words[PLANES_RECORD.chromaStride],
  };
}

/** Pointer to one of the six blocks of a macroblock in a picture, and its stride. */
function blockOf(planes: PlanesRecord, mbX: number, mbY: number, block: number): { at: number; stride: number } {
  const { lumaStride, chromaStride } = planes;
  if (block < 4) {
    const y = mbY * 16 + (block >> 1) * 8;
    return { at: planes.y + y * lumaStride + mbX * 16 + (block & 1) * 8, stride: lumaStride };
  }
  return { at: (block === 4 ? planes.u : planes.v) + mbY * 8 * chromaStride + mbX * 8, stride: chromaStride };
}

/** Places among the bytes that are a module's own: a block's cost, and predictions that stand for none. */
const COST = 0;
const GRAY = 16;
const BLACK = 32;

/** The definition of the macroblock kernels: the kernels on blocks, six times. */
export function referenceMacroblockKernels(
  memory: KernelMemory,
  pixels: PixelKernels,
  transforms: TransformKernels,
): MacroblockKernels {
  const { u8, i32, f64 } = memory;
  u8.fill(128, GRAY, GRAY + 8);

  /** Quantizes block after block; `quantizeBlock` returns where the block's levels end. */
  const quantize = (
    trial: number,
    intra: 0 | 1,
    lambda: number,
    quantizeBlock: (levels: number, reconstruction: number, coefficients: number) => number,
  ): void => {
    let distortion = 0;
    let bits = 0;
    let pattern = 0;
    for (let block = 0; block < BLOCKS; block++) {
      const [levels, reconstruction, coefficients] = [
        TRIAL_RECORD.levels,
        TRIAL_RECORD.reconstruction,
        TRIAL_RECORD.coefficients,
      ].map(offset => trial + offset + block * BLOCK_BYTES) as [number, number, number];
      u8[trial + TRIAL_RECORD.levelEnd + block] = quantizeBlock(levels, reconstruction, coefficients);
      const [coded, empty, blockBits, magnitude] = i32.subarray(COST / 4, COST / 4 + 4);
      i32[(trial + TRIAL_RECORD.magnitude) / 4 + block] = magnitude;
      if (intra === 1 || coded + lambda * blockBits < empty) {
        pattern |= 32 >> block;
        bits += blockBits;
        distortion += coded;
      } else distortion += empty;
    }
    f64[(trial + TRIAL_RECORD.distortion) / 8] = distortion;
    i32[(trial + TRIAL_RECORD.bits) / 4] = bits;
    i32[(trial + TRIAL_RECORD.codedBlockPattern) / 4] = pattern;
  };

  return {
    predictMacroblock(prediction, record, mbX, mbY, x, y) {
      const { y: luma, u, v, lumaStride, chromaStride } = readPlanes(memory, record);
      const at = luma + (mbY * 16 + (y >> 1)) * lumaStride + mbX * 16 + (x >> 1);
      pixels.interpolate(prediction, 16, at, lumaStride, 16, x & 1, y & 1);
      const chromaX = Math.trunc(x / 2);
      const chromaY = Math.trunc(y / 2);
      const offset = (mbY * 8 + (chromaY >> 1)) * chromaStride + mbX * 8 + (chromaX >> 1);
      pixels.interpolate(prediction + 256, 8, u + offset, chromaStride, 8, chromaX & 1, chromaY & 1);
      pixels.interpolate(prediction + 320, 8, v + offset, chromaStride, 8, chromaX & 1, chromaY & 1);
    },

    averagePredictions(prediction, other) {
      pixels.average(prediction, 16, prediction, 16, other, 16, 16);
      pixels.average(prediction + 256, 8, prediction + 256, 8, other + 256, 8, 8);
      pixels.average(prediction + 320, 8, prediction + 320, 8, other + 320, 8, 8);
    },

    predictionError(record, mbX, mbY, prediction) {
      const planes = readPlanes(memory, record);
      let error = 0;
      for (let block = 0; block < BLOCKS; block++) {
        const { at, stride } = blockOf(planes, mbX, mbY, block);
        error += pixels.sse8x8(at, stride, prediction + PREDICTION_OFFSETS[block], PREDICTION_STRIDES[block]);
      }
      return error;
    },

    transformMacroblock(trial, record, mbX, mbY, intra) {
      const planes = readPlanes(memory, record);
      for (let block = 0; block < BLOCKS; block++) {
        const { at, stride } = blockOf(planes, mbX, mbY, block);
        const coefficients = trial + TRIAL_RECORD.coefficients + block * BLOCK_BYTES;
        if (intra === 1) transforms.forwardDct(coefficients, at, stride, GRAY, 0);
        else {
          const prediction = trial + TRIAL_RECORD.prediction + PREDICTION_OFFSETS[block];
          transforms.forwardDct(coefficients, at, stride, prediction, PREDICTION_STRIDES[block]);
        }
      }
    },

    quantizeMacroblock(trial, quantizer, lengths, intra, lambda) {
      quantize(trial, intra, lambda, (levels, reconstruction, coefficients) =>
        transforms.quantizeBlock(levels, reconstruction, coefficients, quantizer, lengths, intra, COST),
      );
    },

    quantizeMacroblockByTrellis(trial, quantizer, lengths, intra, lambda) {
      const whole = Math.floor(lambda + 0.5);
      quantize(trial, intra, lambda, (levels, reconstruction, coefficients) =>
        transforms.quantizeBlockByTrellis(levels, reconstruction, coefficients, quantizer, lengths, intra, COST, whole),
      );
    },

    reconstructMacroblock(record, mbX, mbY, trial, pattern, intra) {
      const planes = readPlanes(memory, record);
      for (let block = 0; block < BLOCKS; block++) {
        const { at, stride } = blockOf(planes, mbX, mbY, block);
        const prediction = intra === 1 ? BLACK : trial + TRIAL_RECORD.prediction + PREDICTION_OFFSETS[block];
        const predictionStride = intra === 1 ? 0 : PREDICTION_STRIDES[block];
        const reconstruction = trial + TRIAL_RECORD.reconstruction + block * BLOCK_BYTES;
        if (pattern & (32 >> block))
          transforms.reconstructBlock(at, stride, prediction, predictionStride, reconstruction);
        else pixels.copyBlock(at, stride, prediction, predictionStride, 8);
      }
    },
  };
}
