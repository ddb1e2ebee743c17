// Writes the macroblocks of a slice from kernel memory.
import type { BitstreamKernels } from '../../kernels/contracts/bitstream-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { SLICE_WRITING, type SliceWriting } from '../../kernels/records/slice-writing.js';
import { SYMBOL_ARRAYS } from '../../kernels/records/symbol-arrays.js';
import type { HeaderSymbols } from '../picture-symbols.js';
import { PICTURE_TYPES, type PictureType } from '../picture-type.js';
import { SlicePredictors } from '../slice-predictors.js';
import { BitSink } from './bit-sink.js';
import { MacroblockWriter } from './slice.js';
import { vectorBits } from './vector-bits.js';

/** The definition of writeMacroblocks. */
export function referenceMacroblockWriting(memory: KernelMemory): Pick<BitstreamKernels, 'writeMacroblocks'> {
  return {
    writeMacroblocks(pointer, first, count, last) {
      const writing = SLICE_WRITING.at(memory, pointer);
      const sink = new BitSink();
      sink.putBits(writing.pending, writing.pendingBits);
      const headers = headersAt(memory, writing, 0, first + count);
      writing.vectorBits += vectorBits(headers, predictorsOf(writing), first, count);
      const predictors = predictorsOf(writing);
      const blocks = new WrittenBlocks(sink, memory, writing);
      const writer = new MacroblockWriter(sink, headers, predictors, blocks);
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

/** The blocks of a row's macroblocks, one macroblock after the other. */
class WrittenBlocks {
  readonly #sink: BitSink;
  readonly #memory: KernelMemory;
  readonly #blockBits: number;
  /** Where the next ones begin. */
  #at: number;

  constructor(sink: BitSink, memory: KernelMemory, { blocks, blockBits }: SliceWriting) {
    this.#sink = sink;
    this.#memory = memory;
    this.#blockBits = blockBits;
    this.#at = blocks;
  }

  /** Copies the bits of a macroblock's blocks. */
  write(address: number): void {
    const { u8, u16 } = this.#memory;
    let bits = u16[this.#blockBits / 2 + address]!;
    for (; bits >= 8; bits -= 8) this.#sink.putBits(u8[this.#at++]!, 8);
    if (bits > 0) this.#sink.putBits(u8[this.#at++]! >> (8 - bits), bits);
  }
}

/** The type of the picture that is written. */
export function pictureTypeOf({ pictureType }: SliceWriting): PictureType {
  return PICTURE_TYPES[pictureType]!;
}

/** What the headers of `count` macroblocks from address `first` on say. */
export function headersAt(memory: KernelMemory, writing: SliceWriting, first: number, count: number): HeaderSymbols {
  const symbols = SYMBOL_ARRAYS.at(memory, writing.symbols);
  const bytes = (at: number) => memory.u8.subarray(at + first, at + first + count);
  const words = (at: number) => memory.i16.subarray(at / 2 + first, at / 2 + first + count);
  return {
    type: pictureTypeOf(writing),
    mbWidth: count,
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
  };
}

function predictorsOf(writing: SliceWriting): SlicePredictors {
  return Object.assign(new SlicePredictors(pictureTypeOf(writing)), {
    quantizerScale: writing.quantizerScale,
    forwardDxHalfPels: writing.forwardDx,
    forwardDyHalfPels: writing.forwardDy,
    backwardDxHalfPels: writing.backwardDx,
    backwardDyHalfPels: writing.backwardDy,
  });
}

function keepPredictors(writing: SliceWriting, predictors: SlicePredictors): void {
  Object.assign(writing, {
    quantizerScale: predictors.quantizerScale,
    forwardDx: predictors.forwardDxHalfPels,
    forwardDy: predictors.forwardDyHalfPels,
    backwardDx: predictors.backwardDxHalfPels,
    backwardDy: predictors.backwardDyHalfPels,
  });
}
