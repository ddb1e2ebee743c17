// Reconstruction of a macroblock, as a decoder shows it.

import { BLOCKS_PER_MACROBLOCK, COEFFICIENTS_PER_BLOCK, isBlockCoded } from '../bitstream/macroblock-layout.js';
import type { DctKernels } from '../kernels/contracts/dct-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { MACROBLOCK_TRIAL } from '../kernels/records/macroblock-trial.js';
import { PICTURE_PLANES } from '../kernels/records/picture-planes.js';
import { blockInPicture, PREDICTION_OFFSETS, PREDICTION_STRIDES } from '../picture/macroblock-blocks.js';
import { inverseDct8x8 } from './inverse-dct.js';

/** The residual of a block that is not coded. */
const NO_RESIDUAL = new Int32Array(64);

/** The definition of the kernel that reconstructs macroblocks. */
export function referenceMacroblockReconstruction(memory: KernelMemory): Pick<DctKernels, 'reconstructMacroblock'> {
  const pels = memory.u8;
  return {
    reconstructMacroblock(pointer, mbX, mbY, trialPointer, pattern, intra) {
      const planes = PICTURE_PLANES.at(memory, pointer);
      const { prediction, reconstruction } = MACROBLOCK_TRIAL.at(memory, trialPointer);
      for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
        const { at, stride } = blockInPicture(planes, mbX, mbY, block);
        const first = block * COEFFICIENTS_PER_BLOCK;
        const isCoded = isBlockCoded(pattern, block);
        const residual = isCoded
          ? inverseDct8x8(reconstruction.subarray(first, first + COEFFICIENTS_PER_BLOCK))
          : NO_RESIDUAL;
        for (let y = 0; y < 8; y++) {
          for (let x = 0; x < 8; x++) {
            const place = PREDICTION_OFFSETS[block] + y * PREDICTION_STRIDES[block] + x;
            const predicted = intra === 1 ? 0 : prediction[place];
            pels[at + y * stride + x] = Math.max(0, Math.min(255, predicted + residual[y * 8 + x]));
          }
        }
      }
    },
  };
}
