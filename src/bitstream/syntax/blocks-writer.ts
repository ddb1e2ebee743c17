// Writes the blocks of macroblocks.
import { BLOCKS_PER_MACROBLOCK, isBlockCoded } from '../macroblock-layout.js';
import { MacroblockCursor, type PictureSymbols } from '../picture-symbols.js';
import type { SlicePredictors } from '../slice-predictors.js';
import { MACROBLOCK_INTRA, MACROBLOCK_PATTERN } from '../tables/macroblock-codes.js';
import type { BitSink } from './bit-sink.js';
import { isLuminance, writeCoefficients, writeDcDifferential } from './block.js';

/** Writes the blocks of macroblocks of a slice, one macroblock after the other. */
export class BlocksWriter {
  readonly #sink: BitSink;
  readonly #picture: PictureSymbols;
  readonly #macroblock: MacroblockCursor;
  readonly #predictors: SlicePredictors;

  /** `predictors` are those of the first macroblock; the DCs among them are updated after each. */
  constructor(sink: BitSink, picture: PictureSymbols, predictors: SlicePredictors) {
    this.#sink = sink;
    this.#picture = picture;
    this.#macroblock = new MacroblockCursor(picture);
    this.#predictors = predictors;
  }

  /** Writes the blocks of the macroblock at `address`, which may have none; ISO/IEC 11172-2 §2.4.2.8. */
  write(address: number): void {
    const macroblock = this.#macroblock;
    macroblock.address = address;
    if (macroblock.flags & MACROBLOCK_INTRA) this.#writeIntraBlocks();
    else if (macroblock.flags & MACROBLOCK_PATTERN) this.#writeBlocks(macroblock.codedBlockPattern);
    this.#predictors.updateDcs(macroblock);
  }

  #writeIntraBlocks(): void {
    const macroblock = this.#macroblock;
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      writeDcDifferential(this.#sink, this.#predictors.dcDifferential(macroblock, block), isLuminance(block));
      this.#writeCoefficients(block, 1);
    }
  }

  #writeBlocks(codedBlockPattern: number): void {
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      if (isBlockCoded(codedBlockPattern, block)) this.#writeCoefficients(block, 0);
    }
  }

  #writeCoefficients(block: number, first: 0 | 1): void {
    const macroblock = this.#macroblock;
    const { levels } = this.#picture;
    writeCoefficients(this.#sink, levels, macroblock.levelStart(block), first, macroblock.levelEnd(block));
  }
}
