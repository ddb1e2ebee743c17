// Makes the mode decision of a picture: which function decides how each macroblock is coded, by the picture's type.

import type { PictureType } from '../../bitstream/picture-type.js';
import { coderFCode } from '../motion/f-code.js';
import { JointRefinement } from '../motion/joint-refinement.js';
import { MotionRefinement } from '../motion/motion-refinement.js';
import type { ByDirection, VectorProposals } from '../motion/vector-proposals.js';
import { VectorRange } from '../motion/vector-range.js';
import type { Workspace } from '../picture/workspace.js';
import { lambdaForAbsoluteError } from '../quantizer/lagrangian.js';
import type { CodingTools } from '../settings/presets.js';
import type { BestTrial } from './best-trial.js';
import { BidirectionalModes } from './bidirectional-modes.js';
import type { BlockTransform } from './block-transform.js';
import type { MacroblockJob } from './macroblock-job.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { Anchors } from './prediction.js';
import { PredictiveModes } from './predictive-modes.js';
import { TrialCoder, type TrialSettings } from './trial-coder.js';

/** Decides how a macroblock is coded; the trial it returns is valid until the next call. */
export type ModeDecider = (job: MacroblockJob) => MacroblockTrial;

/** What the mode decision of a picture depends on. */
export interface DeciderSettings {
  readonly type: PictureType;
  readonly workspace: Workspace;
  readonly tools: CodingTools;
  readonly anchors: Anchors;
  readonly proposals: ByDirection<VectorProposals>;
  readonly transform: BlockTransform;
  readonly trials: BestTrial;
}

/** The mode decision of a picture, by its type. Throws InputError for a field of the wrong size. */
export function createModeDecider(settings: DeciderSettings): ModeDecider {
  const { type, workspace, tools, anchors, proposals, transform, trials } = settings;
  const forwardRange = new VectorRange(workspace.grid, coderFCode(proposals.forward));
  const backwardRange = new VectorRange(workspace.grid, coderFCode(proposals.backward));
  const trialSettings: TrialSettings = { type, workspace, transform, anchors, forwardRange, backwardRange, tools };
  const coder = new TrialCoder(trialSettings);
  if (type === 'I') {
    return job => {
      coder.codeIntra(job, trials.spare, true);
      return coder.finish(job, trials.spare);
    };
  }
  const forward = createRefinement(settings, 'forward', forwardRange);
  return type === 'P'
    ? predictiveDecider(new PredictiveModes(trialSettings, trials, coder, forward), forward)
    : bidirectionalDecider(settings, trialSettings, coder, forward);
}

function predictiveDecider(modes: PredictiveModes, forward: MotionRefinement): ModeDecider {
  return job => {
    const skipped = modes.trySkipped(job);
    if (skipped) return skipped;
    const { at, predictors, lambda64 } = job;
    forward.find(at, predictors.forwardDxHalfPels, predictors.forwardDyHalfPels, lambdaForAbsoluteError(lambda64));
    return modes.choose(job);
  };
}

function bidirectionalDecider(
  settings: DeciderSettings,
  trialSettings: TrialSettings,
  coder: TrialCoder,
  forward: MotionRefinement,
): ModeDecider {
  const { workspace, tools, trials } = settings;
  const backward = createRefinement(settings, 'backward', trialSettings.backwardRange);
  const joint = new JointRefinement(workspace, forward, backward, tools.jointRounds);
  const modes = new BidirectionalModes(trialSettings, trials, coder, { forward, backward, joint });
  return job => {
    const skipped = modes.trySkipped(job);
    if (skipped) return skipped;
    const { at, predictors } = job;
    const lambda = lambdaForAbsoluteError(job.lambda64);
    forward.find(at, predictors.forwardDxHalfPels, predictors.forwardDyHalfPels, lambda);
    backward.find(at, predictors.backwardDxHalfPels, predictors.backwardDyHalfPels, lambda);
    joint.refine();
    return modes.choose(job);
  };
}

function createRefinement(
  { workspace, tools, proposals, anchors }: DeciderSettings,
  direction: 'forward' | 'backward',
  range: VectorRange,
): MotionRefinement {
  return new MotionRefinement({
    workspace,
    places: workspace.vectors[direction],
    reference: direction === 'forward' ? anchors.past : anchors.future,
    proposals: proposals[direction],
    range,
    neighbours: tools.neighbourVectors,
    rounds: tools.refinementRounds,
  });
}
