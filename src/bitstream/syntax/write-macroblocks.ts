// Writes the macroblocks of a slice from kernel memory.
import type { BitstreamKernels } from '../../kernels/contracts/bitstream-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { SLICE_WRITING, type SliceWriting } from '../../kernels/records/slice-writing.js';
import { SYMBOL_ARRAYS } from '../../kernels/records/symbol-arrays.js';
import { BLOCKS_PER_MACROBLOCK, COEFFICIENTS_PER_MACROBLOCK } from '../macroblock-layout.js';
import type { PictureSymbols } from '../picture-symbols.js';
import { SlicePredictors } from '../slice-predictors.js';
import { BitSink } from './bit-sink.js';
import { MacroblockWriter } from './slice.js';

const PICTURE_TYPES = ['I', 'P', 'B'] as const;

/** The definition of writeMacroblocks. */
export function referenceMacroblockWriting(memory: KernelMemory): BitstreamKernels {
  return {
    writeMacroblocks(pointer, first, count, last) {
      const writing = SLICE_WRITING.at(memory, pointer);
      const sink = new BitSink();
      sink.putBits(writing.pending, writing.pendingBits);
      const predictors = predictorsOf(writing);
      const writer = new MacroblockWriter(sink, symbolsAt(memory, writing, first + count), predictors);
      writer.increment = writing.increment;
      writer.write(first, count, last);
      keepPredictors(writing, predictors);
      writing.increment = writer.increment;
      Object.assign(writing, sink.takePending());
      const bytes = sink.takeBytes();
      memory.u8.set(bytes, writing.output);
      return bytes.length;
    },
  };
}

/** The symbols of the first `macroblocks` macroblocks of a picture. */
function symbolsAt(memory: KernelMemory, writing: SliceWriting, macroblocks: number): PictureSymbols {
  const { u8, i16 } = memory;
  const symbols = SYMBOL_ARRAYS.at(memory, writing.symbols);
  const bytes = (at: number, each = 1) => u8.subarray(at, at + macroblocks * each);
  const words = (at: number, each = 1) => i16.subarray(at / 2, at / 2 + macroblocks * each);
  return {
    type: PICTURE_TYPES[writing.pictureType]!,
    mbWidth: macroblocks,
    mbHeight: 1,
    sliceRows: [0],
    forwardFCode: writing.forwardFCode,
    backwardFCode: writing.backwardFCode,
    flags: bytes(symbols.flags),
    direction: bytes(symbols.direction),
    quantizerScale: bytes(symbols.quantizerScale),
    forwardDxHalfPels: words(symbols.forwardDx),
    forwardDyHalfPels: words(symbols.forwardDy),
    backwardDxHalfPels: words(symbols.backwardDx),
    backwardDyHalfPels: words(symbols.backwardDy),
    codedBlockPattern: bytes(symbols.codedBlockPattern),
    levelEnd: bytes(symbols.levelEnd, BLOCKS_PER_MACROBLOCK),
    levels: words(symbols.levels, COEFFICIENTS_PER_MACROBLOCK),
  };
}

function predictorsOf(writing: SliceWriting): SlicePredictors {
  const { quantizerScale, dcY, dcCb, dcCr } = writing;
  return Object.assign(new SlicePredictors(PICTURE_TYPES[writing.pictureType]!), {
    ...{ quantizerScale, dcY, dcCb, dcCr },
    forwardDxHalfPels: writing.forwardDx,
    forwardDyHalfPels: writing.forwardDy,
    backwardDxHalfPels: writing.backwardDx,
    backwardDyHalfPels: writing.backwardDy,
  });
}

function keepPredictors(writing: SliceWriting, predictors: SlicePredictors): void {
  const { quantizerScale, dcY, dcCb, dcCr } = predictors;
  Object.assign(writing, {
    ...{ quantizerScale, dcY, dcCb, dcCr },
    forwardDx: predictors.forwardDxHalfPels,
    forwardDy: predictors.forwardDyHalfPels,
    backwardDx: predictors.backwardDxHalfPels,
    backwardDy: predictors.backwardDyHalfPels,
  });
}
