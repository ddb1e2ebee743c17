import { MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import type { MotionRefinement } from '../motion/motion-refinement.js';
import type { BestTrial } from './best-trial.js';
import { isWorthTryingIntra, sourceDeviation } from './intra-check.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import { type MacroblockQuestion, setVectors, type TrialCoder, type TrialSettings } from './trial-coder.js';

/** The zero vector is coded in full beside a better one when its SAD is at most this times the better one's. */
const ZERO_VECTOR_FACTOR = 1.5;
/** Bits of the shortest macroblock that is not skipped: increment 1, type 2, pattern 3 and two for a coefficient. */
const MIN_CODED_BITS = 4;
/** A macroblock may be skipped early when its error is worth at most this many bits: above, vectors may well be better. */
const EARLY_SKIP_BITS = 60;
/** Without rate-distortion decisions, intra needs to be better by this many units of SAD. */
const INTRA_BIAS_SAD = 512;

/** Chooses among skipped, predicted and intra for the macroblocks of P pictures. */
export class PredictiveModes {
  readonly #settings: TrialSettings;
  readonly #trials: BestTrial;
  readonly #coder: TrialCoder;
  readonly #refinement: MotionRefinement;

  constructor(settings: TrialSettings, trials: BestTrial, coder: TrialCoder, refinement: MotionRefinement) {
    this.#settings = settings;
    this.#trials = trials;
    this.#coder = coder;
    this.#refinement = refinement;
  }

  /**
   * Begins a macroblock, for `choose` to go on with: returns it skipped where nothing can be cheaper or, with `earlySkips`, where the zero vector leaves
   * little and coding that does not pay.
   */
  trySkipped(question: MacroblockQuestion): MacroblockTrial | undefined {
    const { rateDistortionModes, earlySkips } = this.#settings.tools;
    if (!rateDistortionModes || question.mustBeIntra || !question.maySkip) return undefined;
    const trial = this.#coder.skipped(question, this.#trials.spare);
    const bits = trial.cost / question.lambda64;
    if (bits <= MIN_CODED_BITS) return trial;
    return earlySkips && bits <= EARLY_SKIP_BITS && !this.#coder.paysWithResidual(question, trial) ? trial : undefined;
  }

  /** The choice among all; the refinement has found the vectors. Valid until the next call. */
  choose(question: MacroblockQuestion): MacroblockTrial {
    this.#trials.reset();
    if (question.mustBeIntra) this.#tryIntra(question);
    else if (this.#settings.tools.rateDistortionModes) this.#byRateAndDistortion(question);
    else this.#bySad(question);
    return this.#coder.refine(question, this.#trials.best);
  }

  #byRateAndDistortion(question: MacroblockQuestion): void {
    const refinement = this.#refinement;
    const { x, y, sad, zeroSad } = refinement;
    const isZero = x === 0 && y === 0;
    if (isZero || zeroSad <= sad * ZERO_VECTOR_FACTOR) {
      if (question.maySkip) this.#trials.offer(); // the spare trial is still that of trySkipped
      this.#tryVector(question, 0, 0);
    }
    if (!isZero) this.#tryVector(question, x, y);
    for (let rank = 1; rank < this.#settings.tools.rdVectorCandidates; rank++) {
      const index = refinement.nextBest(rank);
      if (index < 0) break;
      this.#tryVector(question, refinement.triedX(index), refinement.triedY(index));
    }
    if (isWorthTryingIntra(this.#settings.workspace, question, sad, this.#trials.best.bits)) {
      this.#tryIntra(question);
    }
  }

  #bySad(question: MacroblockQuestion): void {
    const { x, y, sad } = this.#refinement;
    if (sourceDeviation(this.#settings.workspace, question.at) + INTRA_BIAS_SAD < sad) {
      this.#tryIntra(question);
    } else this.#tryVector(question, x, y);
  }

  #tryVector(question: MacroblockQuestion, x: number, y: number): void {
    this.#coder.predicted(question, setVectors(this.#trials.spare, MACROBLOCK_MOTION_FORWARD, x, y, 0, 0));
    this.#trials.offer();
  }

  #tryIntra(question: MacroblockQuestion): void {
    this.#coder.intra(question, this.#trials.spare);
    this.#trials.offer();
  }
}
