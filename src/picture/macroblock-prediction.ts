// Predictions of macroblocks from reconstructed pictures, and their error.

import { BLOCKS_PER_MACROBLOCK } from '../bitstream/macroblock-layout.js';
import type { PictureKernels } from '../kernels/contracts/picture-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { PREDICTION_BYTES, PREDICTION_U, PREDICTION_V } from '../kernels/records/macroblock-trial.js';
import { PICTURE_PLANES } from '../kernels/records/picture-planes.js';
import { sse8x8 } from './block-differences.js';
import { predictBlock } from './half-pel-prediction.js';
import { blockInPicture, PREDICTION_OFFSETS, PREDICTION_STRIDES } from './macroblock-blocks.js';

type PredictionKernels = Pick<PictureKernels, 'predictMacroblock' | 'averagePredictions' | 'predictionError'>;

/** The definition of the kernels on predictions. */
export function referenceMacroblockPrediction(memory: KernelMemory): PredictionKernels {
  const pels = memory.u8;
  return {
    predictMacroblock(prediction, pointer, mbX, mbY, dxHalfPels, dyHalfPels) {
      const { y, u, v, lumaStride, chromaStride } = PICTURE_PLANES.at(memory, pointer);
      const luma = y + (mbY * 16 + (dyHalfPels >> 1)) * lumaStride + mbX * 16 + (dxHalfPels >> 1);
      predictBlock(pels, prediction, 16, luma, lumaStride, 16, dxHalfPels & 1, dyHalfPels & 1);
      const dx = Math.trunc(dxHalfPels / 2);
      const dy = Math.trunc(dyHalfPels / 2);
      const chroma = (mbY * 8 + (dy >> 1)) * chromaStride + mbX * 8 + (dx >> 1);
      predictBlock(pels, prediction + PREDICTION_U, 8, u + chroma, chromaStride, 8, dx & 1, dy & 1);
      predictBlock(pels, prediction + PREDICTION_V, 8, v + chroma, chromaStride, 8, dx & 1, dy & 1);
    },

    averagePredictions(prediction, other) {
      for (let i = 0; i < PREDICTION_BYTES; i++) {
        pels[prediction + i] = (pels[prediction + i] + pels[other + i] + 1) >> 1;
      }
    },

    predictionError(pointer, mbX, mbY, prediction) {
      const planes = PICTURE_PLANES.at(memory, pointer);
      let error = 0;
      for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
        const { at, stride } = blockInPicture(planes, mbX, mbY, block);
        error += sse8x8(pels, at, stride, prediction + PREDICTION_OFFSETS[block], PREDICTION_STRIDES[block]);
      }
      return error;
    },
  };
}
