// Mode decision in B pictures: skipped, forward, backward, interpolated or intra.

import {
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
} from '../../bitstream/tables/macroblock-codes.js';
import type { JointRefinement } from '../motion/joint-refinement.js';
import type { MotionRefinement } from '../motion/motion-refinement.js';
import type { BestTrial } from './best-trial.js';
import { type CodedPrediction, FullRefinement, predictionOf } from './full-refinement.js';
import { isWorthTryingIntra } from './intra-check.js';
import type { MacroblockJob } from './macroblock-job.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { TrialCoder, TrialSettings } from './trial-coder.js';

/**
 * A macroblock is skipped if its error costs at most as much as this many bits: none that is not skipped takes fewer
 * than 6.
 */
const CERTAIN_SKIP_BITS = 5;

/** A direction is refined in full if it costs at most this many times the best mode so far. Not measured. */
const REFINED_COST_FACTOR = 1.25;

/** The vector searches of the three kinds of prediction. */
export interface BidirectionalSearch {
  readonly forward: MotionRefinement;
  readonly backward: MotionRefinement;
  readonly joint: JointRefinement;
}

/** Chooses the modes of the macroblocks of a B picture. */
export class BidirectionalModes {
  readonly #settings: TrialSettings;
  readonly #trials: BestTrial;
  readonly #coder: TrialCoder;
  readonly #search: BidirectionalSearch;
  readonly #fullRefinement: FullRefinement;

  constructor(settings: TrialSettings, trials: BestTrial, coder: TrialCoder, search: BidirectionalSearch) {
    this.#settings = settings;
    this.#trials = trials;
    this.#coder = coder;
    this.#search = search;
    this.#fullRefinement = new FullRefinement(settings, trials, coder);
  }

  /** The macroblock skipped, if no other mode can be cheaper. Otherwise undefined; then `choose` follows. */
  trySkipped(job: MacroblockJob): MacroblockTrial | undefined {
    this.#trials.reset();
    if (!job.maySkip || !this.#staysInsideSkipped(job)) return undefined;
    const trial = this.#trials.spare;
    this.#coder.codeSkipped(job, trial);
    this.#trials.offer();
    return trial.cost <= job.lambda64 * CERTAIN_SKIP_BITS ? trial : undefined;
  }

  /** The best mode of all, after trySkipped and the searches. The trial is valid until the next call. */
  choose(job: MacroblockJob): MacroblockTrial {
    const { forward, backward, joint } = this.#search;
    const { tools, workspace } = this.#settings;
    const minCost = Math.min(forward.cost, backward.cost, joint.cost);
    const maxCost = Math.max(minCost, minCost * tools.directionFactor);
    const refines = tools.rateDistortionModes && tools.fullRefinementRounds > 0;
    const coded: CodedPrediction[] | undefined = refines ? [] : undefined;
    if (joint.cost <= maxCost) this.#tryDirection(job, MACROBLOCK_MOTION_BOTH, coded);
    if (forward.cost <= maxCost) this.#tryDirection(job, MACROBLOCK_MOTION_FORWARD, coded);
    if (backward.cost <= maxCost) this.#tryDirection(job, MACROBLOCK_MOTION_BACKWARD, coded);
    for (const start of coded ?? []) {
      if (start.cost <= this.#trials.best.cost * REFINED_COST_FACTOR) this.#fullRefinement.refine(job, start);
    }
    const sad = Math.min(forward.sad, backward.sad, joint.sad);
    if (isWorthTryingIntra(workspace, job, sad, this.#trials.best.bits)) {
      this.#coder.codeIntra(job, this.#trials.spare);
      this.#trials.offer();
    }
    return this.#coder.finish(job, this.#trials.best);
  }

  /** Whether the macroblock before has a direction, and its vectors are allowed here, too. */
  #staysInsideSkipped({ predictors, at: { mbX, mbY } }: MacroblockJob): boolean {
    const { forwardRange, backwardRange } = this.#settings;
    const { direction, forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels } = predictors;
    if (direction === 0) return false;
    if (direction & MACROBLOCK_MOTION_FORWARD && !forwardRange.allows(mbX, mbY, forwardDxHalfPels, forwardDyHalfPels))
      return false;
    return (
      (direction & MACROBLOCK_MOTION_BACKWARD) === 0 ||
      backwardRange.allows(mbX, mbY, backwardDxHalfPels, backwardDyHalfPels)
    );
  }

  /** Codes the best vectors of a direction; notes it in `coded`, if that is given. */
  #tryDirection(job: MacroblockJob, direction: number, coded: CodedPrediction[] | undefined): void {
    const { forward, backward, joint } = this.#search;
    const trial = this.#trials.spare;
    if (direction === MACROBLOCK_MOTION_BOTH) {
      const { forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels } = joint;
      trial.setMotion(direction, forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels);
    } else {
      trial.setMotion(direction, forward.dxHalfPels, forward.dyHalfPels, backward.dxHalfPels, backward.dyHalfPels);
    }
    this.#coder.codePredicted(job, trial);
    coded?.push(predictionOf(trial));
    this.#trials.offer();
  }
}
