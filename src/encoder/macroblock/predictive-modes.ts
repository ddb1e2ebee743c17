// Mode decision in P pictures: skipped, predicted or intra.

import { MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import { INTRA_BIAS_SAD } from '../../kernels/records/macroblock-coding.js';
import type { MotionRefinement } from '../motion/motion-refinement.js';
import type { BestTrial } from './best-trial.js';
import { FullRefinement, predictionOf } from './full-refinement.js';
import { MIN_INTRA_BITS, mayPayAsIntra, sourceDeviation } from './intra-check.js';
import type { MacroblockJob } from './macroblock-job.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { TrialCoder, TrialSettings } from './trial-coder.js';

/**
 * The zero vector is coded in full beside a better one if its SAD is at most this times the SAD of the better one. Not
 * measured.
 */
const ZERO_VECTOR_FACTOR = 1.5;
/**
 * A macroblock is skipped if its error costs at most as much as this many bits: none that is not skipped takes fewer
 * than 6.
 */
const CERTAIN_SKIP_BITS = 4;
/**
 * A macroblock may be skipped early if its error costs at most as much as this many bits. Above, a vector may well be
 * better.
 */
const EARLY_SKIP_BITS = 60;

/** Chooses the modes of the macroblocks of a P picture. */
export class PredictiveModes {
  readonly #settings: TrialSettings;
  readonly #trials: BestTrial;
  readonly #coder: TrialCoder;
  readonly #refinement: MotionRefinement;
  readonly #fullRefinement: FullRefinement;

  constructor(settings: TrialSettings, trials: BestTrial, coder: TrialCoder, refinement: MotionRefinement) {
    this.#settings = settings;
    this.#trials = trials;
    this.#coder = coder;
    this.#refinement = refinement;
    this.#fullRefinement = new FullRefinement(settings, trials, coder);
  }

  /**
   * The macroblock skipped, if no other mode can be cheaper or, with the tool `earlySkips`, if the zero vector leaves a
   * small error that does not pay to be coded. Otherwise undefined; then `choose` follows.
   */
  trySkipped(job: MacroblockJob): MacroblockTrial | undefined {
    const { rateDistortionModes, earlySkips } = this.#settings.tools;
    if (!rateDistortionModes || job.mustBeIntra || !job.maySkip) return undefined;
    const trial = this.#trials.spare;
    this.#coder.codeSkipped(job, trial);
    const bits = trial.cost / job.lambda64;
    if (bits <= CERTAIN_SKIP_BITS) return trial;
    return earlySkips && bits <= EARLY_SKIP_BITS && !this.#coder.isCheaperWithResidual(job, trial) ? trial : undefined;
  }

  /** The best mode of all, after trySkipped and the refinement. The trial is valid until the next call. */
  choose(job: MacroblockJob): MacroblockTrial {
    this.#trials.reset();
    if (job.mustBeIntra) this.#tryIntra(job, true);
    else if (this.#settings.tools.rateDistortionModes) this.#chooseByRateAndDistortion(job);
    else this.#chooseBySad(job);
    return this.#coder.finish(job, this.#trials.best);
  }

  #chooseByRateAndDistortion(job: MacroblockJob): void {
    const refinement = this.#refinement;
    const { workspace, tools } = this.#settings;
    const { dxHalfPels, dyHalfPels, sad, zeroSad } = refinement;
    const isZero = dxHalfPels === 0 && dyHalfPels === 0;
    const triesZero = isZero || zeroSad <= sad * ZERO_VECTOR_FACTOR;
    const mayBeIntra = mayPayAsIntra(workspace, job, sad);
    const isOnlyMode = tools.rdVectorCandidates === 1 && tools.fullRefinementRounds === 0;
    if (!triesZero && !mayBeIntra && isOnlyMode) {
      this.#tryVector(job, dxHalfPels, dyHalfPels, true);
      return;
    }
    if (triesZero) {
      if (job.maySkip) this.#trials.offer(); // the spare trial is still that of trySkipped
      this.#tryVector(job, 0, 0);
    }
    if (!isZero) this.#tryVector(job, dxHalfPels, dyHalfPels);
    for (let rank = 1; rank < tools.rdVectorCandidates; rank++) {
      const index = refinement.nextBest(rank);
      if (index < 0) break;
      this.#tryVector(job, refinement.triedDxHalfPels(index), refinement.triedDyHalfPels(index));
    }
    const { best } = this.#trials;
    if (tools.fullRefinementRounds > 0 && best.flags !== 0) this.#fullRefinement.refine(job, predictionOf(best));
    if (mayBeIntra && this.#trials.best.bits > MIN_INTRA_BITS) this.#tryIntra(job);
  }

  #chooseBySad(job: MacroblockJob): void {
    const { dxHalfPels, dyHalfPels, sad } = this.#refinement;
    if (sourceDeviation(this.#settings.workspace, job.at) + INTRA_BIAS_SAD < sad) this.#tryIntra(job, true);
    else this.#tryVector(job, dxHalfPels, dyHalfPels, true);
  }

  #tryVector(job: MacroblockJob, dxHalfPels: number, dyHalfPels: number, isOnlyMode = false): void {
    this.#trials.spare.setMotion(MACROBLOCK_MOTION_FORWARD, dxHalfPels, dyHalfPels, 0, 0);
    this.#coder.codePredicted(job, this.#trials.spare, isOnlyMode);
    this.#trials.offer();
  }

  #tryIntra(job: MacroblockJob, isOnlyMode = false): void {
    this.#coder.codeIntra(job, this.#trials.spare, isOnlyMode);
    this.#trials.offer();
  }
}
