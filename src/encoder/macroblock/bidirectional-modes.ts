import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import type { JointRefinement } from '../motion/joint-refinement.js';
import type { MotionRefinement } from '../motion/motion-refinement.js';
import type { BestTrial } from './best-trial.js';
import { isWorthTryingIntra } from './intra-check.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import { type MacroblockQuestion, setVectors, type TrialCoder, type TrialSettings } from './trial-coder.js';

const BOTH = MACROBLOCK_MOTION_FORWARD | MACROBLOCK_MOTION_BACKWARD;

/** Bits of the shortest macroblock that is not skipped: increment 1, type 2, two vector components 1 each. */
const MIN_CODED_BITS = 5;

/** The searches of the three kinds of prediction. */
export interface BidirectionalSearch {
  readonly forward: MotionRefinement;
  readonly backward: MotionRefinement;
  readonly joint: JointRefinement;
}

/** Chooses among skipped, forward, backward, interpolated and intra for the macroblocks of B pictures. */
export class BidirectionalModes {
  readonly #settings: TrialSettings;
  readonly #trials: BestTrial;
  readonly #coder: TrialCoder;
  readonly #search: BidirectionalSearch;

  constructor(settings: TrialSettings, trials: BestTrial, coder: TrialCoder, search: BidirectionalSearch) {
    this.#settings = settings;
    this.#trials = trials;
    this.#coder = coder;
    this.#search = search;
  }

  /** Begins a macroblock: returns it skipped where nothing can be cheaper. */
  trySkipped(question: MacroblockQuestion): MacroblockTrial | undefined {
    this.#trials.reset();
    if (!question.maySkip || !this.#skippedStaysInside(question)) return undefined;
    const trial = this.#coder.skipped(question, this.#trials.spare);
    this.#trials.offer();
    return trial.cost <= question.lambda64 * MIN_CODED_BITS ? trial : undefined;
  }

  /** The choice among the others, and skipped; the searches have found the vectors. Valid until the next call. */
  choose(question: MacroblockQuestion): MacroblockTrial {
    const { forward, backward, joint } = this.#search;
    const { tools, workspace } = this.#settings;
    const leastCost = Math.min(forward.cost, backward.cost, joint.cost);
    const mostCost = Math.max(leastCost, leastCost * tools.directionFactor);
    if (joint.cost <= mostCost) this.#tryDirection(question, BOTH);
    if (forward.cost <= mostCost) this.#tryDirection(question, MACROBLOCK_MOTION_FORWARD);
    if (backward.cost <= mostCost) this.#tryDirection(question, MACROBLOCK_MOTION_BACKWARD);
    const sad = Math.min(forward.sad, backward.sad, joint.sad);
    if (isWorthTryingIntra(workspace, question, sad, this.#trials.best.bits)) {
      this.#coder.intra(question, this.#trials.spare);
      this.#trials.offer();
    }
    return this.#coder.refine(question, this.#trials.best);
  }

  /** Whether there are a direction and vectors to take over from the macroblock before, and they fit here. */
  #skippedStaysInside({ state, at: { mbX, mbY } }: MacroblockQuestion): boolean {
    const { forwardVectors, backwardVectors } = this.#settings;
    const { direction, forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels } = state;
    if (direction === 0) return false;
    if (direction & MACROBLOCK_MOTION_FORWARD && !forwardVectors.allows(mbX, mbY, forwardDxHalfPels, forwardDyHalfPels))
      return false;
    return (
      (direction & MACROBLOCK_MOTION_BACKWARD) === 0 ||
      backwardVectors.allows(mbX, mbY, backwardDxHalfPels, backwardDyHalfPels)
    );
  }

  #tryDirection(question: MacroblockQuestion, direction: number): void {
    const { forward, backward, joint } = this.#search;
    const trial = this.#trials.spare;
    if (direction === BOTH) {
      setVectors(
        trial,
        BOTH,
        joint.forwardDxHalfPels,
        joint.forwardDyHalfPels,
        joint.backwardDxHalfPels,
        joint.backwardDyHalfPels,
      );
    } else setVectors(trial, direction, forward.x, forward.y, backward.x, backward.y);
    this.#coder.predicted(question, trial);
    this.#trials.offer();
  }
}
