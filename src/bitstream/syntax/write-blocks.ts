// Writes the blocks of a macroblock from kernel memory.
import type { BitstreamKernels } from '../../kernels/contracts/bitstream-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { MACROBLOCK_CODING } from '../../kernels/records/macroblock-coding.js';
import { MACROBLOCK_TRIAL } from '../../kernels/records/macroblock-trial.js';
import { SLICE_PREDICTORS } from '../../kernels/records/slice-predictors.js';
import { SLICE_WRITING } from '../../kernels/records/slice-writing.js';
import { SlicePredictors } from '../slice-predictors.js';
import { BitSink } from './bit-sink.js';
import { BlocksWriter } from './blocks-writer.js';
import { headersAt, pictureTypeOf } from './write-macroblocks.js';

/** The definition of writeBlocks. */
export function referenceBlockWriting(memory: KernelMemory): Pick<BitstreamKernels, 'writeBlocks'> {
  return {
    writeBlocks(pointer, trial, address) {
      const coding = MACROBLOCK_CODING.at(memory, pointer);
      const writing = SLICE_WRITING.at(memory, coding.writing);
      const { flags, codedBlockPattern, levels, levelEnd } = MACROBLOCK_TRIAL.at(memory, trial);
      const macroblock = {
        ...headersAt(memory, writing, address, 1),
        flags: Uint8Array.of(flags),
        codedBlockPattern: Uint8Array.of(codedBlockPattern),
        levels,
        levelEnd,
      };
      const { dcY, dcCb, dcCr } = SLICE_PREDICTORS.at(memory, coding.predictors);
      const predictors = Object.assign(new SlicePredictors(pictureTypeOf(writing)), { dcY, dcCb, dcCr });
      const sink = new BitSink();
      new BlocksWriter(sink, macroblock, predictors).write(0);
      memory.u16[writing.blockBits / 2 + address] = sink.bitLength;
      sink.alignWithZeros();
      const bytes = sink.takeBytes();
      memory.u8.set(bytes, writing.blocksEnd);
      writing.blocksEnd += bytes.length;
    },
  };
}
