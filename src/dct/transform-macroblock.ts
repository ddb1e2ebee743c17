// Forward transform of the six blocks of a macroblock.

import { BLOCKS_PER_MACROBLOCK } from '../bitstream/macroblock-layout.js';
import type { DctKernels } from '../kernels/contracts/dct-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { BLOCK_BYTES, MACROBLOCK_TRIAL } from '../kernels/records/macroblock-trial.js';
import { PICTURE_PLANES } from '../kernels/records/picture-planes.js';
import { blockInPicture, PREDICTION_OFFSETS, PREDICTION_STRIDES } from '../picture/macroblock-blocks.js';
import { forwardDct8x8 } from './forward-dct.js';

/** What is subtracted from the pels of intra blocks before the transform: the middle of their range. */
const INTRA_MEAN = 128;

/** The definition of the kernel that transforms macroblocks. */
export function referenceMacroblockTransform(memory: KernelMemory): Pick<DctKernels, 'transformMacroblock'> {
  const { u8: pels, i16 } = memory;
  return {
    transformMacroblock(trial, pointer, mbX, mbY, intra) {
      const planes = PICTURE_PLANES.at(memory, pointer);
      for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
        const { at, stride } = blockInPicture(planes, mbX, mbY, block);
        const prediction = trial + MACROBLOCK_TRIAL.offsets.prediction + PREDICTION_OFFSETS[block];
        const residual = new Int16Array(64);
        for (let y = 0; y < 8; y++) {
          for (let x = 0; x < 8; x++) {
            const predicted = intra === 1 ? INTRA_MEAN : pels[prediction + y * PREDICTION_STRIDES[block] + x];
            residual[y * 8 + x] = pels[at + y * stride + x] - predicted;
          }
        }
        const coefficients = trial + MACROBLOCK_TRIAL.offsets.coefficients + block * BLOCK_BYTES;
        i16.set(forwardDct8x8(residual), coefficients / 2);
      }
    },
  };
}
