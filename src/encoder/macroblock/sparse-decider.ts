// Decides macroblocks for the fewest bits: the last resort of a picture that would not fit into the decoder's buffer.
import { BLOCKS_PER_MACROBLOCK, COEFFICIENTS_PER_BLOCK } from '../../bitstream/macroblock-layout.js';
import { intraDcBits } from '../../bitstream/syntax/block.js';
import { MACROBLOCK_INTRA, MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import type { MacroblockJob } from './macroblock-job.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { DeciderSettings, ModeDecider } from './mode-decider.js';
import { predict } from './prediction.js';

/** At most: macroblock_address_increment and macroblock_type of an intra macroblock; Tables B.1 and B.2. */
const INTRA_HEADER_BITS = 6;
/** At most: a macroblock with a zero vector and no coefficients. */
const ZERO_VECTOR_BITS = 6;

/** Intra macroblocks keep only their DC coefficients; all others copy the past anchor. */
export function sparseDecider({ type, workspace, anchors, transform, trials }: DeciderSettings): ModeDecider {
  const { kernels, memory, scratchPrediction } = workspace;
  const intraDc = (job: MacroblockJob): MacroblockTrial => {
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
  const copy = ({ at, predictors, maySkip, quantizerScale }: MacroblockJob): MacroblockTrial => {
    const trial = trials.spare;
    trial.setMotion(MACROBLOCK_MOTION_FORWARD, 0, 0, 0, 0);
    trial.quantizerScale = quantizerScale;
    predict(kernels, trial, anchors, at, scratchPrediction);
    const { direction, forwardDxHalfPels, forwardDyHalfPels } = predictors;
    const continues = direction === MACROBLOCK_MOTION_FORWARD && forwardDxHalfPels === 0 && forwardDyHalfPels === 0;
    const isSkipped = maySkip && (type === 'P' || continues);
    trial.flags = isSkipped ? 0 : MACROBLOCK_MOTION_FORWARD;
    trial.codedBlockPattern = 0;
    trial.bits = isSkipped ? 0 : ZERO_VECTOR_BITS;
    return trial;
  };
  return job => (type === 'I' || job.mustBeIntra ? intraDc(job) : copy(job));
}
