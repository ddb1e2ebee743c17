// A way to code a macroblock: its prediction, coefficients and levels, and what they cost.
import {
  BLOCKS_PER_MACROBLOCK,
  COEFFICIENTS_PER_BLOCK,
  COEFFICIENTS_PER_MACROBLOCK,
} from '../../bitstream/macroblock-layout.js';
import { arrayOf, defineRecord, f64, i32, type RecordAt } from './record.js';

/** Bytes of the coefficients or levels of a block, int16. */
export const BLOCK_BYTES = 2 * COEFFICIENTS_PER_BLOCK;
/** Where Cb and Cr begin in a prediction, after 16x16 pels of luma; its bytes. */
export const PREDICTION_U = 256;
export const PREDICTION_V = 320;
export const PREDICTION_BYTES = 384;

/**
 * A trial. A bit of the pattern is 32 for the first block and 1 for the last.
 *
 *     0     prediction          luma 16x16 with stride 16, then Cb and Cr 8x8 with stride 8
 *     384   coefficients        six blocks of 64 int16, column by column
 *     1152  levels              six blocks of 64 int16 in scan order
 *     1920  reconstruction      six blocks of 64 int16 dequantized coefficients, column by column
 *     2688  distortion          double: squared error in forward coefficients, 64 times that in pels
 *     2696  bits                int32: of the coded blocks' run/level pairs, no DC
 *     2700  codedBlockPattern   int32
 *     2704  levelEnd            six bytes: scan position after the last non-zero level of a block
 *     2712  magnitude           six int32: sum of |reconstruction| of a block
 *     2736
 */
export const MACROBLOCK_TRIAL = defineRecord('MacroblockTrial', {
  prediction: arrayOf('u8', PREDICTION_BYTES),
  coefficients: arrayOf('i16', COEFFICIENTS_PER_MACROBLOCK),
  levels: arrayOf('i16', COEFFICIENTS_PER_MACROBLOCK),
  reconstruction: arrayOf('i16', COEFFICIENTS_PER_MACROBLOCK),
  distortion: f64,
  bits: i32,
  codedBlockPattern: i32,
  levelEnd: arrayOf('u8', BLOCKS_PER_MACROBLOCK),
  magnitude: arrayOf('i32', BLOCKS_PER_MACROBLOCK),
});
export type MacroblockTrialRecord = RecordAt<typeof MACROBLOCK_TRIAL.fields>;
