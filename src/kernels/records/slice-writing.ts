// What writeBlocks and writeMacroblocks work with: the codes, and where in a slice they are.
import { COEFFICIENTS_PER_MACROBLOCK } from '../../bitstream/macroblock-layout.js';
import { LONG_ESCAPE_BITS } from '../../bitstream/tables/block-codes.js';
import { MACROBLOCK_CODES } from './macroblock-codes.js';
import { defineRecord, i32, pointerTo, type RecordAt, usize } from './record.js';
import { SYMBOL_ARRAYS } from './symbol-arrays.js';

/** Most bytes that a macroblock takes in a stream: long escapes for all levels, and less than 64 bytes of all else. */
export const MAX_MACROBLOCK_BYTES = (COEFFICIENTS_PER_MACROBLOCK * LONG_ESCAPE_BITS) / 8 + 64;

/**
 * The writing of a picture: the blocks of each row as soon as they are chosen, and all else when the picture's f_codes
 * are known. Between two calls it holds the bits after the last whole byte, and the predictors.
 *
 *     0    symbols               of the picture
 *     4    codes
 *     8    blocks                the blocks of a row as bits: room for MAX_MACROBLOCK_BYTES a macroblock
 *     12   blockBits             of all macroblocks: the bits of their blocks, an uint16 each
 *     16   output                room for MAX_MACROBLOCK_BYTES a macroblock of a call
 *     20   pictureType           I_PICTURE, P_PICTURE or B_PICTURE
 *     24   forwardFCode
 *     28   backwardFCode
 *     32   pending               the bits after the last whole byte
 *     36   pendingBits           how many, 0..7
 *     40   increment             macroblock_address_increment of the next macroblock
 *     44   quantizerScale        predicted: the scale, quantized DCs (by writeBlocks) and vectors in half-pels
 *     48   dcY
 *     52   dcCb
 *     56   dcCr
 *     60   forwardDx
 *     64   forwardDy
 *     68   backwardDx
 *     72   backwardDy
 *     76   vectorBits            so far: bits of motion_*_code and motion_*_r
 *     80
 */
export const SLICE_WRITING = defineRecord('SliceWriting', {
  symbols: pointerTo(SYMBOL_ARRAYS),
  codes: pointerTo(MACROBLOCK_CODES),
  blocks: usize,
  blockBits: usize,
  output: usize,
  pictureType: i32,
  forwardFCode: i32,
  backwardFCode: i32,
  pending: i32,
  pendingBits: i32,
  increment: i32,
  quantizerScale: i32,
  dcY: i32,
  dcCb: i32,
  dcCr: i32,
  forwardDx: i32,
  forwardDy: i32,
  backwardDx: i32,
  backwardDy: i32,
  vectorBits: i32,
});
export type SliceWriting = RecordAt<typeof SLICE_WRITING.fields>;
