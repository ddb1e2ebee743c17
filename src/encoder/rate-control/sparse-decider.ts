import { BLOCKS_PER_MACROBLOCK } from '../../bitstream/picture-symbols.js';
import { MACROBLOCK_INTRA, MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import type { DeciderSettings, MacroblockDecider } from '../macroblock/macroblock-decider.js';
import type { MacroblockTrial } from '../macroblock/macroblock-trial.js';
import { predict } from '../macroblock/prediction.js';
import { type MacroblockQuestion, setVectors } from '../macroblock/trial-coder.js';

/** macroblock_address_increment and macroblock_type of an intra macroblock, and of one with a zero vector, in bits. */
const INTRA_HEADER_BITS = 6;
const STILL_BITS = 6;

/**
 * Decides for what takes the fewest bits: intra macroblocks of nothing but their DC, all others as in the past anchor.
 * The last resort of a picture that would not fit into the decoder's buffer.
 */
export function sparseDecider({ workspace, job, anchors, transform, trials }: DeciderSettings): MacroblockDecider {
  const { type } = job.plan;
  const { kernels, memory, scratchPrediction } = workspace;
  const flat = (question: MacroblockQuestion): MacroblockTrial => {
    const trial = setVectors(trials.spare, 0, 0, 0, 0, 0);
    trial.skipped = false;
    trial.flags = MACROBLOCK_INTRA;
    transform.transform(trial, question.at, true);
    transform.quantize(trial, question.quantizerScale, true, 0, 'plain');
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      for (const pointer of [trial.blockLevels(block), trial.blockReconstruction(block)]) {
        memory.i16.fill(0, (pointer >> 1) + 1, (pointer >> 1) + 64);
      }
      trial.levelEnd[block] = Math.min(1, trial.levelEnd[block]!);
      trial.magnitude[block] = memory.i16[trial.blockReconstruction(block) >> 1]!;
    }
    trial.bits = INTRA_HEADER_BITS + question.state.intraDcBits(trial);
    return trial;
  };
  const still = ({ at, state, maySkip, quantizerScale }: MacroblockQuestion): MacroblockTrial => {
    const trial = setVectors(trials.spare, MACROBLOCK_MOTION_FORWARD, 0, 0, 0, 0);
    trial.quantizerScale = quantizerScale;
    predict(kernels, trial, anchors, at, scratchPrediction);
    const goesOn =
      state.direction === MACROBLOCK_MOTION_FORWARD && state.forwardDxHalfPels === 0 && state.forwardDyHalfPels === 0;
    trial.skipped = maySkip && (type === 'P' || goesOn);
    trial.flags = trial.skipped ? 0 : MACROBLOCK_MOTION_FORWARD;
    trial.codedBlockPattern = 0;
    trial.bits = trial.skipped ? 0 : STILL_BITS;
    return trial;
  };
  return question => (type === 'I' || question.mustBeIntra ? flat(question) : still(question));
}
