import { BLOCKS_PER_MACROBLOCK, COEFFICIENTS_PER_BLOCK } from '../../bitstream/macroblock-layout.js';
import { intraDcBits } from '../../bitstream/syntax/block.js';
import { MACROBLOCK_INTRA, MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import type { MacroblockJob } from '../macroblock/macroblock-job.js';
import type { MacroblockTrial } from '../macroblock/macroblock-trial.js';
import type { DeciderSettings, ModeDecider } from '../macroblock/mode-decider.js';
import { predict } from '../macroblock/prediction.js';

/** macroblock_address_increment and macroblock_type of an intra macroblock, and of one with a zero vector, in bits. */
const INTRA_HEADER_BITS = 6;
const STILL_BITS = 6;

/**
 * Decides for what takes the fewest bits: intra macroblocks of nothing but their DC, all others as in the past anchor. The last
 * resort of a picture that would not fit into the decoder's buffer.
 */
export function sparseDecider({ type, workspace, anchors, transform, trials }: DeciderSettings): ModeDecider {
  const { kernels, memory, scratchPrediction } = workspace;
  const flat = (job: MacroblockJob): MacroblockTrial => {
    const trial = trials.spare;
    trial.setMotion(0, 0, 0, 0, 0);
    trial.flags = MACROBLOCK_INTRA;
    transform.transform(trial, job.at, true);
    transform.quantize(trial, job.quantizerScale, true, 0, 'plain');
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      for (const pointer of [trial.blockLevels(block), trial.blockReconstruction(block)]) {
        memory.i16.fill(0, (pointer >> 1) + 1, (pointer >> 1) + COEFFICIENTS_PER_BLOCK);
      }
      trial.levelEnd[block] = Math.min(1, trial.levelEnd[block]!);
      trial.magnitude[block] = memory.i16[trial.blockReconstruction(block) >> 1]!;
    }
    trial.bits = INTRA_HEADER_BITS + intraDcBits(trial, job.predictors);
    return trial;
  };
  const still = ({ at, predictors, maySkip, quantizerScale }: MacroblockJob): MacroblockTrial => {
    const trial = trials.spare;
    trial.setMotion(MACROBLOCK_MOTION_FORWARD, 0, 0, 0, 0);
    trial.quantizerScale = quantizerScale;
    predict(kernels, trial, anchors, at, scratchPrediction);
    const { direction, forwardDxHalfPels, forwardDyHalfPels } = predictors;
    const goesOn = direction === MACROBLOCK_MOTION_FORWARD && forwardDxHalfPels === 0 && forwardDyHalfPels === 0;
    const isSkipped = maySkip && (type === 'P' || goesOn);
    trial.flags = isSkipped ? 0 : MACROBLOCK_MOTION_FORWARD;
    trial.codedBlockPattern = 0;
    trial.bits = isSkipped ? 0 : STILL_BITS;
    return trial;
  };
  return job => (type === 'I' || job.mustBeIntra ? flat(job) : still(job));
}
