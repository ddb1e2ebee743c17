import type { PictureType } from './picture-type.js';

/** Blocks of a macroblock in 4:2:0: four luma, Cb, Cr; ISO/IEC 11172-2 §2.4.1. */
export const BLOCKS_PER_MACROBLOCK = 6;
/** Levels of a macroblock: six blocks of 64. */
export const LEVELS_PER_MACROBLOCK = BLOCKS_PER_MACROBLOCK * 64;

/**
 * Everything a coded picture says, macroblocks in raster order: what the coder decides and the writer turns into bits.
 * Vectors are in half-pels.
 */
export interface PictureSymbols {
  readonly type: PictureType;
  readonly mbWidth: number;
  readonly mbHeight: number;
  /** Slices start at these macroblock rows, ascending, the first is 0. */
  readonly sliceRows: readonly number[];
  readonly forwardFCode: number;
  readonly backwardFCode: number;
  /** Flags of macroblock_type without MACROBLOCK_QUANT, which follows from quantizerScale. */
  readonly flags: Uint8Array;
  /** What a macroblock is predicted from, skipped ones included: the MACROBLOCK_MOTION flags of its prediction; 0 for intra. */
  readonly direction: Uint8Array;
  /** 1 where the macroblock is skipped. Never the first or last of a slice. */
  readonly skipped: Uint8Array;
  /** quantizer_scale 1..31. */
  readonly quantizerScale: Uint8Array;
  readonly forwardDxHalfPels: Int16Array;
  readonly forwardDyHalfPels: Int16Array;
  readonly backwardDxHalfPels: Int16Array;
  readonly backwardDyHalfPels: Int16Array;
  /** coded_block_pattern; 63 for intra. */
  readonly codedBlockPattern: Uint8Array;
  /** Per block: the scan position after its last non-zero level. */
  readonly levelEnd: Uint8Array;
  /** LEVELS_PER_MACROBLOCK per macroblock: each block's levels in scan order. Intra: the first is the quantized DC 0..255. */
  readonly levels: Int16Array;
}
