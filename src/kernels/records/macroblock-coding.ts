// What codeMacroblock works with.
import { CANDIDATE_SEARCH } from './candidate-search.js';
import { MACROBLOCK_TRIAL } from './macroblock-trial.js';
import { PICTURE_PLANES } from './picture-planes.js';
import { QUANTIZER } from './quantizer.js';
import { defineRecord, f64, i32, pointerTo, type RecordAt, usize } from './record.js';
import { SYMBOL_ARRAYS } from './symbol-arrays.js';

/**
 * Without rate-distortion decisions, intra wins if the deviation of the macroblock is smaller than the SAD of its
 * prediction by this much. Not measured.
 */
export const INTRA_BIAS_SAD = 512;

/**
 * A predicted block whose SAD is below this times quantizer_scale is not transformed: it would hardly have a level.
 * The factor is the mean absolute difference at which a gradient over the block would just have one, 0.32 of the
 * scale, times 64 pels, and a little more for the bits of that one.
 */
export const EMPTY_BLOCK_SAD = 24;

/**
 * The coding of the macroblocks of a picture by sums of absolute differences.
 *
 *     0    search              the vector search; its lambda is that of the macroblock
 *     4    trial               room for the macroblock that is being coded
 *     8    source              the picture
 *     12   target              where it is reconstructed
 *     16   symbols             where what is decided is kept
 *     20   lengths             pointer to the table of run/level bits
 *     24   quantizer           of predicted macroblocks, for quantizerScale
 *     28   intraQuantizer      the same of intra ones
 *     32   quantizerScale      of the macroblock
 *     36   mbWidth             macroblocks in a row
 *     40   lambda              squared error, in 1/64 of a squared pel, that a bit is worth
 *     48   usesTrellis         1: levels are chosen by the trellis
 *     52
 */
export const MACROBLOCK_CODING = defineRecord('MacroblockCoding', {
  search: pointerTo(CANDIDATE_SEARCH),
  trial: pointerTo(MACROBLOCK_TRIAL),
  source: pointerTo(PICTURE_PLANES),
  target: pointerTo(PICTURE_PLANES),
  symbols: pointerTo(SYMBOL_ARRAYS),
  lengths: usize,
  quantizer: pointerTo(QUANTIZER),
  intraQuantizer: pointerTo(QUANTIZER),
  quantizerScale: i32,
  mbWidth: i32,
  lambda: f64,
  usesTrellis: i32,
});
export type MacroblockCoding = RecordAt<typeof MACROBLOCK_CODING.fields>;
