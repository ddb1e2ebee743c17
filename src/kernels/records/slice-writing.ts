// What writeMacroblocks works with: the codes, and where in a slice it is.
import { COEFFICIENTS_PER_MACROBLOCK } from '../../bitstream/macroblock-layout.js';
import { LONG_ESCAPE_BITS } from '../../bitstream/tables/block-codes.js';
import { MACROBLOCK_CODES } from './macroblock-codes.js';
import { defineRecord, i32, pointerTo, type RecordAt, usize } from './record.js';
import { SYMBOL_ARRAYS } from './symbol-arrays.js';

/** Most bytes that a macroblock takes in a stream: long escapes for all levels, and less than 64 bytes of all else. */
export const MAX_MACROBLOCK_BYTES = (COEFFICIENTS_PER_MACROBLOCK * LONG_ESCAPE_BITS) / 8 + 64;

/**
 * The writing of a slice. Between two calls it holds the bits after the last whole byte, and the predictors.
 *
 *     0    symbols               of the picture
 *     4    codes
 *     8    output                room for MAX_MACROBLOCK_BYTES a macroblock of a call
 *     12   pictureType           0 I, 1 P, 2 B
 *     16   forwardFCode
 *     20   backwardFCode
 *     24   pending               the bits after the last whole byte
 *     28   pendingBits           how many, 0..7
 *     32   increment             macroblock_address_increment of the next macroblock
 *     36   quantizerScale        predicted: the scale, quantized DCs and vectors in half-pels
 *     40   dcY
 *     44   dcCb
 *     48   dcCr
 *     52   forwardDx
 *     56   forwardDy
 *     60   backwardDx
 *     64   backwardDy
 *     68
 */
export const SLICE_WRITING = defineRecord('SliceWriting', {
  symbols: pointerTo(SYMBOL_ARRAYS),
  codes: pointerTo(MACROBLOCK_CODES),
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
});
export type SliceWriting = RecordAt<typeof SLICE_WRITING.fields>;
