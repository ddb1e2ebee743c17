// The ways to code a macroblock that are known from all codings of its row.
import { BLOCKS_PER_MACROBLOCK } from '../../bitstream/macroblock-layout.js';
import { arrayOf, defineRecord, f64, i32, type RecordAt } from './record.js';

/** The most predictions of a macroblock that are known, coded in full or given up. Few macroblocks come to as many. */
export const MAX_CODED_PREDICTIONS = 512;
/** The most ways to code a macroblock that the choice of a row compares: so many predictions, and intra. */
export const MAX_ROW_WAYS = 97;

/**
 * Bits and distortion of the predictions of a macroblock that have been coded in full, and those of intra. They are
 * kept while the row is coded again, so that nothing is coded twice, and the choice of a row compares them. Bits are
 * those of the blocks and of coded_block_pattern: the header depends on the macroblock before. A prediction that is
 * given up as unlikely has no pattern, and an emptyDistortion of Infinity.
 *
 *     0                    48               18992       19004                 19392
 *     | macroblock, intra  | predictions    | its DCs   | the choice of a row |
 */
export const MACROBLOCK_CHOICES = defineRecord('MacroblockChoices', {
  /** What a bit costs, as in codeMacroblock. */
  lambda: f64,
  intraDistortion: f64,
  /** Of the cheapest prediction: its cost without its header, and the estimate of that; Infinity before any. */
  leastCost: f64,
  leastEstimate: f64,
  /** Bits of the AC coefficients of intra. */
  intraBits: i32,
  /** The quantizer_scale that intra was coded with; 0: it was not coded. */
  intraScale: i32,
  maySkip: i32,
  /** Number of predictions. */
  count: i32,
  /** Distortion of each prediction without coded blocks, Infinity where it must have some, and with coded blocks. */
  emptyDistortion: arrayOf('f64', MAX_CODED_PREDICTIONS),
  codedDistortion: arrayOf('f64', MAX_CODED_PREDICTIONS),
  /** Cost of each when it was compared last. */
  cost: arrayOf('f64', MAX_CODED_PREDICTIONS),
  /** Forward dx, dy, backward dx, dy in half-pels; 0 in a direction that is not used. */
  vectors: arrayOf('i16', 4 * MAX_CODED_PREDICTIONS),
  codedBits: arrayOf('i16', MAX_CODED_PREDICTIONS),
  /** The coded_block_pattern with coded blocks; 0: none of its blocks has a level. */
  codedPattern: arrayOf('u8', MAX_CODED_PREDICTIONS),
  /** Its MACROBLOCK_MOTION flags. */
  direction: arrayOf('u8', MAX_CODED_PREDICTIONS),
  quantizerScale: arrayOf('u8', MAX_CODED_PREDICTIONS),
  intraDcs: arrayOf('i16', BLOCKS_PER_MACROBLOCK),
  /** Room for the choice of a row. For each way: its prediction, the best way of the macroblock before, its kind. */
  wayPrediction: arrayOf('i16', MAX_ROW_WAYS),
  wayBefore: arrayOf('u8', MAX_ROW_WAYS),
  wayKind: arrayOf('u8', MAX_ROW_WAYS),
});
export type MacroblockChoices = RecordAt<typeof MACROBLOCK_CHOICES.fields>;
