// What writeMacroblocks works with: the codes, and where in a slice it is.
import { COEFFICIENTS_PER_MACROBLOCK } from '../../bitstream/macroblock-layout.js';
import { LONG_ESCAPE_BITS } from '../../bitstream/tables/block-codes.js';
import { arrayOf, defineRecord, i32, pointerTo, type RecordAt, usize } from './record.js';
import { SYMBOL_ARRAYS } from './symbol-arrays.js';

/** Most bytes that a macroblock takes in a stream: long escapes for all levels, and less than 64 bytes of all else. */
export const MAX_MACROBLOCK_BYTES = (COEFFICIENTS_PER_MACROBLOCK * LONG_ESCAPE_BITS) / 8 + 64;

/**
 * Codes as `length << 24 | bits`; 0 where there is none.
 *
 *     0    types       macroblock_type by its flags, of I, P and B pictures
 *     384  increments  macroblock_address_increment 1..33; entry 0 is macroblock_escape
 *     520  patterns    coded_block_pattern
 *     776  motion      |motion_code|, without its sign
 *     844  dcLuma      dct_dc_size_luminance
 *     880  dcChroma    dct_dc_size_chrominance
 *     916  runLevels   of a run and a magnitude, the sign bit 0; see runLevelCodes
 *     33684
 */
export const MACROBLOCK_CODES = defineRecord('MacroblockCodes', {
  types: arrayOf('i32', 96),
  increments: arrayOf('i32', 34),
  patterns: arrayOf('i32', 64),
  motion: arrayOf('i32', 17),
  dcLuma: arrayOf('i32', 9),
  dcChroma: arrayOf('i32', 9),
  runLevels: arrayOf('i32', 64 * 128),
});
export type MacroblockCodes = RecordAt<typeof MACROBLOCK_CODES.fields>;

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
