import { smallestFCode } from '../bitstream/motion-vector-codes.js';
import type { MotionField } from '../motion/estimator.js';
import type { BestTrial } from './best-trial.js';
import { BidirectionalModes } from './bidirectional-modes.js';
import type { BlockTransform } from './block-transform.js';
import { JointRefinement } from './joint-refinement.js';
import { lambdaForAbsoluteError } from './lagrangian.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import { type ChosenVectors, fieldExtent, proposeVectors } from './motion-proposals.js';
import { MotionRefinement } from './motion-refinement.js';
import type { PictureJob } from './picture-coder.js';
import type { PictureDecisions } from './picture-decisions.js';
import type { Anchors } from './prediction.js';
import { PredictiveModes } from './predictive-modes.js';
import type { CodingTools } from './presets.js';
import { type MacroblockQuestion, TrialCoder, type TrialSettings } from './trial-coder.js';
import { VectorCost } from './vector-cost.js';
import type { PlanePointers, Workspace } from './workspace.js';

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
    return question => coder.refineLevels(question, coder.intra(question, trials.spare));
  }
  const forward = refinementOf(settings, anchors.past, forwardVectors);
  return job.plan.type === 'P'
    ? predictiveDecider(settings, new PredictiveModes(trialSettings, trials, coder, forward), forward)
    : bidirectionalDecider(settings, trialSettings, coder, forward);
}

function predictiveDecider(
  { decisions, job, tools }: DeciderSettings,
  modes: PredictiveModes,
  forward: MotionRefinement,
): MacroblockDecider {
  const { mbWidth } = decisions;
  const areProposed = tools.neighbourVectors;
  const chosen: ChosenVectors = { mbWidth, x: decisions.forwardX, y: decisions.forwardY, areProposed };
  return question => {
    const { at, state } = question;
    forward.lambda = lambdaForAbsoluteError(question.lambda64);
    proposeVectors(forward, chosen, job.forwardField, at, state.forwardX, state.forwardY);
    return modes.choose(question);
  };
}

function bidirectionalDecider(
  settings: DeciderSettings,
  trialSettings: TrialSettings,
  coder: TrialCoder,
  forward: MotionRefinement,
): MacroblockDecider {
  const { workspace, anchors, decisions, job, tools, trials } = settings;
  const backward = refinementOf(settings, anchors.future, trialSettings.backwardVectors);
  const joint = new JointRefinement(workspace, anchors, tools.jointRounds);
  const modes = new BidirectionalModes(trialSettings, trials, coder, { forward, backward, joint });
  const { mbWidth } = decisions;
  const areProposed = tools.neighbourVectors;
  const forwardChosen: ChosenVectors = { mbWidth, x: decisions.forwardX, y: decisions.forwardY, areProposed };
  const backwardChosen: ChosenVectors = { mbWidth, x: decisions.backwardX, y: decisions.backwardY, areProposed };
  return question => {
    const { at, state } = question;
    forward.lambda = lambdaForAbsoluteError(question.lambda64);
    backward.lambda = forward.lambda;
    proposeVectors(forward, forwardChosen, job.forwardField, at, state.forwardX, state.forwardY);
    proposeVectors(backward, backwardChosen, job.backwardField, at, state.backwardX, state.backwardY);
    joint.refine(at, forward, backward);
    return modes.choose(question);
  };
}

function refinementOf(
  { workspace, tools }: DeciderSettings,
  reference: PlanePointers,
  vectors: VectorCost,
): MotionRefinement {
  return new MotionRefinement({
    kernels: workspace.kernels,
    memory: workspace.memory,
    neighbourSads: workspace.neighbourSads,
    source: workspace.source,
    reference,
    vectors,
    rounds: tools.refinementRounds,
  });
}

/** The cost of vectors where all of a field's best ones are to be allowed. */
function vectorCost({ grid }: Workspace, field: MotionField | undefined): VectorCost {
  const extent = field ? fieldExtent(field) : { least: -1, greatest: 1 };
  return new VectorCost(grid, smallestFCode(extent.least, extent.greatest));
}
