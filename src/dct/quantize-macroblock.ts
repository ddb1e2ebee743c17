// Quantization of the six blocks of a macroblock, and the choice of the blocks that are coded.

import { BLOCKS_PER_MACROBLOCK, blockBit } from '../bitstream/macroblock-layout.js';
import type { DctKernels } from '../kernels/contracts/dct-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { BLOCK_BYTES, MACROBLOCK_TRIAL } from '../kernels/records/macroblock-trial.js';
import { type BlockCost, type BlockPlaces, quantizeBlock } from './quantize.js';
import { quantizeBlockByTrellis } from './trellis.js';

type QuantizationKernels = Pick<DctKernels, 'quantizeMacroblock' | 'quantizeMacroblockByTrellis'>;

/** The definition of the kernels that quantize macroblocks. */
export function referenceMacroblockQuantization(memory: KernelMemory): QuantizationKernels {
  const quantize = (
    pointer: number,
    quantizer: number,
    lengths: number,
    intra: boolean,
    lambda: number,
    quantizeOne: (places: BlockPlaces) => BlockCost,
  ): void => {
    const { offsets } = MACROBLOCK_TRIAL;
    const trial = MACROBLOCK_TRIAL.at(memory, pointer);
    let [distortion, bits, pattern] = [0, 0, 0];
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      const first = pointer + block * BLOCK_BYTES;
      const cost = quantizeOne({
        coefficients: first + offsets.coefficients,
        levels: first + offsets.levels,
        reconstruction: first + offsets.reconstruction,
        quantizer,
        lengths,
      });
      trial.levelEnd[block] = cost.end;
      trial.magnitude[block] = cost.magnitude;
      trial.savedDistortion[block] = cost.energy - cost.distortion;
      trial.blockBits[block] = cost.bits;
      if (intra || cost.distortion + lambda * cost.bits < cost.energy) {
        pattern |= blockBit(block);
        bits += cost.bits;
        distortion += cost.distortion;
      } else distortion += cost.energy;
    }
    trial.distortion = distortion;
    trial.bits = bits;
    trial.codedBlockPattern = pattern;
  };

  return {
    quantizeMacroblock(trial, quantizer, lengths, intra, lambda) {
      quantize(trial, quantizer, lengths, intra === 1, lambda, places => quantizeBlock(memory, places, intra === 1));
    },

    quantizeMacroblockByTrellis(trial, quantizer, lengths, intra, lambda) {
      const wholeLambda = Math.floor(lambda + 0.5);
      quantize(trial, quantizer, lengths, intra === 1, lambda, places =>
        quantizeBlockByTrellis(memory, places, intra === 1, wholeLambda),
      );
    },
  };
}
