// Writes the slices of a picture, macroblock by macroblock.

import { QUANTIZER_SCALE_BITS } from '../limits.js';
import { HeaderCursor, type HeaderSymbols, type PictureSymbols } from '../picture-symbols.js';
import { SlicePredictors } from '../slice-predictors.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  MACROBLOCK_QUANT,
  MACROBLOCK_STUFFING,
} from '../tables/macroblock-codes.js';
import type { BitSink } from './bit-sink.js';
import { BlocksWriter } from './blocks-writer.js';
import {
  addressIncrementBits,
  macroblockTypeBits,
  motionVectorBits,
  writeAddressIncrement,
  writeCodedBlockPattern,
  writeMacroblockType,
  writeMotionComponent,
} from './macroblock.js';
import { writeSliceHeader } from './slice-header.js';

/** Writes all slices of a picture; ISO/IEC 11172-2 §2.4.2.6. */
export function writeSlices(sink: BitSink, picture: PictureSymbols): void {
  const { mbWidth, quantizerScale } = picture;
  const predictors = new SlicePredictors(picture.type);
  const blocks = new BlocksWriter(sink, picture, predictors);
  const writer = new MacroblockWriter(sink, picture, predictors, blocks);
  for (const { firstRow, endRow } of slicesOf(picture)) {
    const first = firstRow * mbWidth;
    const end = endRow * mbWidth;
    writeSliceHeader(sink, firstRow, quantizerScale[first]!);
    predictors.startSlice(quantizerScale[first]!);
    writer.increment = 1;
    writer.write(first, end - first, end - 1);
  }
  sink.alignWithZeros(); // next_start_code()
}

/** The slices of a picture: the macroblock row at which each starts, and that before which it ends. */
export function slicesOf({
  sliceRows,
  mbHeight,
}: Pick<PictureSymbols, 'sliceRows' | 'mbHeight'>): { readonly firstRow: number; readonly endRow: number }[] {
  return sliceRows.map((firstRow, index) => ({ firstRow, endRow: sliceRows[index + 1] ?? mbHeight }));
}

/** Writes macroblocks of a slice, one after the other: the headers itself, and what follows each by `blocks`. */
export class MacroblockWriter {
  /** macroblock_address_increment of the next macroblock. */
  increment = 1;
  readonly #sink: BitSink;
  readonly #picture: HeaderSymbols;
  readonly #macroblock: HeaderCursor;
  readonly #predictors: SlicePredictors;
  readonly #blocks: Pick<BlocksWriter, 'write'>;

  /** `predictors` are those of the first macroblock that is written; `blocks` updates the DCs among them. */
  constructor(sink: BitSink, picture: HeaderSymbols, predictors: SlicePredictors, blocks: Pick<BlocksWriter, 'write'>) {
    this.#sink = sink;
    this.#picture = picture;
    this.#macroblock = new HeaderCursor(picture);
    this.#predictors = predictors;
    this.#blocks = blocks;
  }

  /** Writes `count` macroblocks from address `first` on; `last` is the address of the last one of the slice. */
  write(first: number, count: number, last: number): void {
    for (let address = first; address < first + count; address++) {
      this.#macroblock.address = address;
      if (this.#macroblock.flags === 0) this.increment++;
      else {
        if (address === last && this.#endsInItsFirstByte(this.increment)) this.#sink.putString(MACROBLOCK_STUFFING);
        writeAddressIncrement(this.#sink, this.increment);
        this.#writeHeader();
        this.increment = 1;
      }
      this.#blocks.write(address);
      this.#predictors.updateHeader(this.#macroblock);
    }
  }

  /**
   * Whether the macroblock, the last of its slice, would end in the byte in which it begins. JSMpeg ends a slice as
   * soon as no whole byte is left, and would lose the macroblock. macroblock_stuffing before it helps. One with
   * coefficients is never that short.
   */
  #endsInItsFirstByte(increment: number): boolean {
    const { flags } = this.#macroblock;
    const { type, forwardFCode, backwardFCode } = this.#picture;
    const bitsLeft = -this.#sink.bitLength & 7;
    if (bitsLeft === 0 || flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) return false;
    const headerBits = addressIncrementBits(increment) + macroblockTypeBits(type)[flags]!;
    const vectorBits = motionVectorBits(this.#macroblock, this.#predictors, forwardFCode, backwardFCode);
    return headerBits + vectorBits <= bitsLeft;
  }

  /** macroblock(), from macroblock_type on and without its blocks; ISO/IEC 11172-2 §2.4.2.7. */
  #writeHeader(): void {
    const sink = this.#sink;
    const { type } = this.#picture;
    const { flags, quantizerScale, codedBlockPattern } = this.#macroblock;
    const hasCoefficients = (flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) !== 0;
    const changesScale = hasCoefficients && quantizerScale !== this.#predictors.quantizerScale;
    writeMacroblockType(sink, type, changesScale ? flags | MACROBLOCK_QUANT : flags);
    if (changesScale) sink.putBits(quantizerScale, QUANTIZER_SCALE_BITS); // quantizer_scale
    this.#writeVectors(flags);
    if (flags & MACROBLOCK_PATTERN) writeCodedBlockPattern(sink, codedBlockPattern);
  }

  #writeVectors(flags: number): void {
    const sink = this.#sink;
    const macroblock = this.#macroblock;
    const predictors = this.#predictors;
    const { forwardFCode, backwardFCode } = this.#picture;
    if (flags & MACROBLOCK_MOTION_FORWARD) {
      writeMotionComponent(sink, macroblock.forwardDxHalfPels - predictors.forwardDxHalfPels, forwardFCode);
      writeMotionComponent(sink, macroblock.forwardDyHalfPels - predictors.forwardDyHalfPels, forwardFCode);
    }
    if (flags & MACROBLOCK_MOTION_BACKWARD) {
      writeMotionComponent(sink, macroblock.backwardDxHalfPels - predictors.backwardDxHalfPels, backwardFCode);
      writeMotionComponent(sink, macroblock.backwardDyHalfPels - predictors.backwardDyHalfPels, backwardFCode);
    }
  }
}
