import type { MotionField } from '../../motion/estimator.js';
import { JointRefinement } from '../motion/joint-refinement.js';
import { MotionRefinement } from '../motion/motion-refinement.js';
import { fieldFCode, VectorCost } from '../motion/vector-cost.js';
import type { PictureJob } from '../picture/picture-coder.js';
import type { PictureDecisions } from '../picture/picture-decisions.js';
import type { Workspace } from '../picture/workspace.js';
import { lambdaForAbsoluteError } from '../quantizer/lagrangian.js';
import type { CodingTools } from '../settings/presets.js';
import type { BestTrial } from './best-trial.js';
import { BidirectionalModes } from './bidirectional-modes.js';
import type { BlockTransform } from './block-transform.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { Anchors } from './prediction.js';
import { PredictiveModes } from './predictive-modes.js';
import { type MacroblockQuestion, TrialCoder, type TrialSettings } from './trial-coder.js';

/** Decides how a macroblock is coded; the trial it returns is valid until the next call. */
export type MacroblockDecider = (question: MacroblockQuestion) => MacroblockTrial;

/** What the decisions of a picture are made from. */
export interface DeciderSettings {
  readonly workspace: Workspace;
  readonly tools: CodingTools;
  readonly job: PictureJob;
  readonly anchors: Anchors;
  /** The decisions made so far in the picture: neighbours' vectors are proposals. */
  readonly decisions: PictureDecisions;
  readonly transform: BlockTransform;
  readonly trials: BestTrial;
}

/** The decider of a picture: intra alone, predictive or bidirectional, by the picture's type. */
export function macroblockDecider(settings: DeciderSettings): MacroblockDecider {
  const { workspace, tools, job, anchors, transform, trials } = settings;
  const forwardVectors = vectorCost(workspace, job.forwardField);
  const backwardVectors = vectorCost(workspace, job.backwardField);
  const trialSettings: TrialSettings = {
    type: job.plan.type,
    workspace,
    transform,
    anchors,
    forwardVectors,
    backwardVectors,
    tools,
  };
  const coder = new TrialCoder(trialSettings);
  if (job.plan.type === 'I') {
    return question => coder.refine(question, coder.intra(question, trials.spare));
  }
  const forward = refinementOf(settings, 'forward', forwardVectors);
  return job.plan.type === 'P'
    ? predictiveDecider(new PredictiveModes(trialSettings, trials, coder, forward), forward)
    : bidirectionalDecider(settings, trialSettings, coder, forward);
}

function predictiveDecider(modes: PredictiveModes, forward: MotionRefinement): MacroblockDecider {
  return question => {
    const skipped = modes.trySkipped(question);
    if (skipped) return skipped;
    const { at, state } = question;
    forward.find(at, state.forwardDxHalfPels, state.forwardDyHalfPels, lambdaForAbsoluteError(question.lambda64));
    return modes.choose(question);
  };
}

function bidirectionalDecider(
  settings: DeciderSettings,
  trialSettings: TrialSettings,
  coder: TrialCoder,
  forward: MotionRefinement,
): MacroblockDecider {
  const { workspace, tools, trials } = settings;
  const backward = refinementOf(settings, 'backward', trialSettings.backwardVectors);
  const joint = new JointRefinement(workspace, forward, backward, tools.jointRounds);
  const modes = new BidirectionalModes(trialSettings, trials, coder, { forward, backward, joint });
  return question => {
    const skipped = modes.trySkipped(question);
    if (skipped) return skipped;
    const { at, state } = question;
    const lambda = lambdaForAbsoluteError(question.lambda64);
    forward.find(at, state.forwardDxHalfPels, state.forwardDyHalfPels, lambda);
    backward.find(at, state.backwardDxHalfPels, state.backwardDyHalfPels, lambda);
    joint.refine();
    return modes.choose(question);
  };
}

function refinementOf(
  { workspace, tools, job, anchors }: DeciderSettings,
  direction: 'forward' | 'backward',
  vectors: VectorCost,
): MotionRefinement {
  return new MotionRefinement({
    workspace,
    places: workspace.vectors[direction],
    reference: direction === 'forward' ? anchors.past : anchors.future,
    field: direction === 'forward' ? job.forwardField : job.backwardField,
    vectors,
    neighbours: tools.neighbourVectors,
    rounds: tools.refinementRounds,
  });
}

/** The cost of vectors where nearly all of a field's best ones are to be allowed. */
function vectorCost({ grid }: Workspace, field: MotionField | undefined): VectorCost {
  return new VectorCost(grid, field ? fieldFCode(field) : 1);
}
