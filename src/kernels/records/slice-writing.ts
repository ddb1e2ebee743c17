// What writeBlocks and writeMacroblocks work with: the codes, and where in a slice they are.
import { COEFFICIENTS_PER_MACROBLOCK } from '../../bitstream/macroblock-layout.js';
import { LONG_ESCAPE_BITS } from '../../bitstream/tables/block-codes.js';
import { MACROBLOCK_CODES } from './macroblock-codes.js';
import { defineRecord, i32, pointerTo, type RecordAt, usize } from './record.js';
import { SYMBOL_ARRAYS } from './symbol-arrays.js';

/** Most bytes that a macroblock takes in a stream: long escapes for all levels, and less than 64 bytes of all else. */
export const MAX_MACROBLOCK_BYTES = (COEFFICIENTS_PER_MACROBLOCK * LONG_ESCAPE_BITS) / 8 + 64;

/**
 * The writing of a picture: the blocks of each macroblock as soon as they are chosen, and all else when the picture's
 * f_codes are known. Between two calls it holds the bits after the last whole byte, and the predictors.
 *
 *     0    symbols               of the picture
 *     4    codes
 *     8    blocks                the blocks of a row as bits: room for MAX_MACROBLOCK_BYTES a macroblock
 *     12   blocksEnd             where the blocks of the row's next macroblock go
 *     16   blockBits             of all macroblocks: the bits of their blocks, an uint16 each
 *     20   output                room for MAX_MACROBLOCK_BYTES a macroblock of a call
 *     24   pictureType           I_PICTURE, P_PICTURE or B_PICTURE
 *     28   forwardFCode
 *     32   backwardFCode
 *     36   pending               the bits after the last whole byte
 *     40   pendingBits           how many, 0..7
 *     44   increment             macroblock_address_increment of the next macroblock
 *     48   quantizerScale        predicted: the scale, and vectors in half-pels
 *     52   forwardDx
 *     56   forwardDy
 *     60   backwardDx
 *     64   backwardDy
 *     68   vectorBits            so far: bits of motion_*_code and motion_*_r
 *     72
 */
export const SLICE_WRITING = defineRecord('SliceWriting', {
  symbols: pointerTo(SYMBOL_ARRAYS),
  codes: pointerTo(MACROBLOCK_CODES),
  blocks: usize,
  blocksEnd: usize,
  blockBits: usize,
  output: usize,
  pictureType: i32,
  forwardFCode: i32,
  backwardFCode: i32,
  pending: i32,
  pendingBits: i32,
  increment: i32,
  quantizerScale: i32,
  forwardDx: i32,
  forwardDy: i32,
  backwardDx: i32,
  backwardDy: i32,
  vectorBits: i32,
});
export type SliceWriting = RecordAt<typeof SLICE_WRITING.fields>;
