// Writes the blocks of a row of macroblocks from kernel memory.
import type { BitstreamKernels } from '../../kernels/contracts/bitstream-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { SLICE_WRITING, type SliceWriting } from '../../kernels/records/slice-writing.js';
import { SYMBOL_ARRAYS } from '../../kernels/records/symbol-arrays.js';
import { BLOCKS_PER_MACROBLOCK, COEFFICIENTS_PER_MACROBLOCK } from '../macroblock-layout.js';
import type { PictureSymbols } from '../picture-symbols.js';
import { SlicePredictors } from '../slice-predictors.js';
import { BitSink } from './bit-sink.js';
import { BlocksWriter } from './blocks-writer.js';
import { headersAt, pictureTypeOf } from './write-macroblocks.js';

/** The definition of writeBlocks. */
export function referenceBlockWriting(memory: KernelMemory): Pick<BitstreamKernels, 'writeBlocks'> {
  return {
    writeBlocks(pointer, first, count) {
      const writing = SLICE_WRITING.at(memory, pointer);
      const { dcY, dcCb, dcCr } = writing;
      const sink = new BitSink();
      const predictors = Object.assign(new SlicePredictors(pictureTypeOf(writing)), { dcY, dcCb, dcCr });
      const writer = new BlocksWriter(sink, rowAt(memory, writing, first, count), predictors);
      for (let mbX = 0; mbX < count; mbX++) {
        const start = sink.bitLength;
        writer.write(mbX);
        memory.u16[writing.blockBits / 2 + first + mbX] = sink.bitLength - start;
        sink.alignWithZeros();
      }
      Object.assign(writing, { dcY: predictors.dcY, dcCb: predictors.dcCb, dcCr: predictors.dcCr });
      const bytes = sink.takeBytes();
      memory.u8.set(bytes, writing.blocks);
      return bytes.length;
    },
  };
}

/** The symbols of the row of `count` macroblocks that begins at address `first`. */
function rowAt(memory: KernelMemory, writing: SliceWriting, first: number, count: number): PictureSymbols {
  const { levelEnd, levels } = SYMBOL_ARRAYS.at(memory, writing.symbols);
  return {
    ...headersAt(memory, writing, first, count),
    levelEnd: memory.u8.subarray(levelEnd, levelEnd + count * BLOCKS_PER_MACROBLOCK),
    levels: memory.i16.subarray(levels / 2, levels / 2 + count * COEFFICIENTS_PER_MACROBLOCK),
  };
}
