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
 *     2736  savedDistortion     six int32: what the levels of a block take from the distortion
 *     2760  blockBits           six int32: of a block's run/level pairs; 0 where it has no levels; no DC
 *     2784  cost                double: distortion + lambda * bits, those that it changes in macroblocks after it, too
 *     2792  flags               of macroblock_type, without MACROBLOCK_QUANT; 0: skipped
 *     2796  direction           the MACROBLOCK_MOTION flags of its prediction, also where it is skipped; 0 for intra
 *     2800  forwardDxHalfPels   the vectors, four int32; zero in a direction that is not used
 *     2816  quantizerScale      of its coefficients; the wanted one where it has none
 *     2820  hasFinalLevels      1: its levels are those that the tools choose for the mode that wins
 *     2824  isRecalled          1: its blocks are not in it, see MACROBLOCK_CHOICES
 *     2832  emptyDistortion     double, of a predicted one: without blocks
 *     2840  codedDistortion     double: the same with blocks
 *     2848  codedBits           the bits of these with coded_block_pattern
 *     2852  codedPattern        which these are; 0: none
 *     2856
 *
 * transformMacroblock and the kernels after it use what comes before `cost`; codeMacroblock uses all.
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
  savedDistortion: arrayOf('i32', BLOCKS_PER_MACROBLOCK),
  blockBits: arrayOf('i32', BLOCKS_PER_MACROBLOCK),
  cost: f64,
  flags: i32,
  direction: i32,
  forwardDxHalfPels: i32,
  forwardDyHalfPels: i32,
  backwardDxHalfPels: i32,
  backwardDyHalfPels: i32,
  quantizerScale: i32,
  hasFinalLevels: i32,
  isRecalled: i32,
  emptyDistortion: f64,
  codedDistortion: f64,
  codedBits: i32,
  codedPattern: i32,
});
export type MacroblockTrialRecord = RecordAt<typeof MACROBLOCK_TRIAL.fields>;
