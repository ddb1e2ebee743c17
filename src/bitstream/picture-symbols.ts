// The syntax elements of a picture's macroblocks: what the coder decides and the writer turns into bits.

import { BLOCKS_PER_MACROBLOCK, COEFFICIENTS_PER_BLOCK, COEFFICIENTS_PER_MACROBLOCK } from './macroblock-layout.js';
import type { PictureType } from './picture-type.js';

/**
 * What the headers of a picture's macroblocks say: all but their blocks. Arrays have one entry a macroblock, in raster
 * order.
 */
export interface HeaderSymbols {
  readonly type: PictureType;
  readonly mbWidth: number;
  readonly mbHeight: number;
  /** Macroblock rows at which slices start: ascending, the first is 0. */
  readonly sliceRows: readonly number[];
  readonly forwardFCode: number;
  readonly backwardFCode: number;
  /**
   * The flags of macroblock_type; 0 for a skipped macroblock, which is never the first or last of a slice.
   * MACROBLOCK_QUANT is left out: it follows from quantizerScale.
   */
  readonly flags: Uint8Array;
  /** The MACROBLOCK_MOTION flags of what a macroblock is predicted from, also where it is skipped; 0 for intra. */
  readonly direction: Uint8Array;
  /** quantizer_scale 1..31. */
  readonly quantizerScale: Uint8Array;
  readonly forwardDxHalfPels: Int16Array;
  readonly forwardDyHalfPels: Int16Array;
  readonly backwardDxHalfPels: Int16Array;
  readonly backwardDyHalfPels: Int16Array;
  /** coded_block_pattern; 63 for intra. */
  readonly codedBlockPattern: Uint8Array;
}

/** The syntax elements of a picture below its header: those of the macroblocks' headers and of their blocks. */
export interface PictureSymbols extends HeaderSymbols {
  /** BLOCKS_PER_MACROBLOCK entries a macroblock: the scan position after the last non-zero level of a block. */
  readonly levelEnd: Uint8Array;
  /**
   * COEFFICIENTS_PER_MACROBLOCK entries a macroblock: levels in scan order; in intra blocks the first is the quantized
   * DC 0..255.
   */
  readonly levels: Int16Array;
}

/** What decoding the header of a macroblock tells a decoder for those after it. */
export interface MacroblockHeader {
  /** The flags of macroblock_type without MACROBLOCK_QUANT; 0: skipped. */
  readonly flags: number;
  readonly quantizerScale: number;
  /** The vectors of the directions in `flags`. */
  readonly forwardDxHalfPels: number;
  readonly forwardDyHalfPels: number;
  readonly backwardDxHalfPels: number;
  readonly backwardDyHalfPels: number;
}

/** What decoding a macroblock tells a decoder for those after it. */
export interface CodedMacroblock extends MacroblockHeader {
  /** The quantized DC of block 0..5 of an intra macroblock. */
  dc(block: number): number;
}

/** The header of the macroblock at `address`, which may be set to walk over those of a picture. */
export class HeaderCursor implements MacroblockHeader {
  /** Place in raster order. */
  address = 0;
  readonly #picture: HeaderSymbols;

  constructor(picture: HeaderSymbols) {
    this.#picture = picture;
  }

  get flags(): number {
    return this.#picture.flags[this.address]!;
  }
  get quantizerScale(): number {
    return this.#picture.quantizerScale[this.address]!;
  }
  get forwardDxHalfPels(): number {
    return this.#picture.forwardDxHalfPels[this.address]!;
  }
  get forwardDyHalfPels(): number {
    return this.#picture.forwardDyHalfPels[this.address]!;
  }
  get backwardDxHalfPels(): number {
    return this.#picture.backwardDxHalfPels[this.address]!;
  }
  get backwardDyHalfPels(): number {
    return this.#picture.backwardDyHalfPels[this.address]!;
  }
  get codedBlockPattern(): number {
    return this.#picture.codedBlockPattern[this.address]!;
  }
}

/** The macroblock at `address`, its blocks included. */
export class MacroblockCursor extends HeaderCursor implements CodedMacroblock {
  readonly #blocks: PictureSymbols;

  constructor(picture: PictureSymbols) {
    super(picture);
    this.#blocks = picture;
  }

  /** Index of a block's first level. */
  levelStart(block: number): number {
    return this.address * COEFFICIENTS_PER_MACROBLOCK + block * COEFFICIENTS_PER_BLOCK;
  }

  /** Scan position after the last non-zero level of a block. */
  levelEnd(block: number): number {
    return this.#blocks.levelEnd[this.address * BLOCKS_PER_MACROBLOCK + block]!;
  }

  dc(block: number): number {
    return this.#blocks.levels[this.levelStart(block)]!;
  }
}
