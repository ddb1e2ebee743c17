// Refines the vectors of the best mode by what they really cost: each is coded in full.
import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import type { BestTrial } from './best-trial.js';
import type { MacroblockJob } from './macroblock-job.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { TrialCoder, TrialSettings } from './trial-coder.js';

/** The half-pel neighbours of a vector, those beside it first. */
const NEIGHBOURS = [
  ...([
    [0, -1],
    [-1, 0],
    [1, 0],
    [0, 1],
  ] as const),
  ...([
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ] as const),
];

/** Both vectors of a prediction, in half-pels: forward dx, dy, backward dx, dy. */
type VectorPair = readonly [number, number, number, number];

/**
 * Codes the half-pel neighbours of the best trial's vectors in full, and goes on from the best of them, some rounds at
 * most. In an interpolated macroblock one vector moves while the other stays.
 */
export class FullRefinement {
  readonly #settings: TrialSettings;
  readonly #trials: BestTrial;
  readonly #coder: TrialCoder;
  /** What has been coded of the macroblock in one direction. */
  #coded: VectorPair[] = [];

  constructor(settings: TrialSettings, trials: BestTrial, coder: TrialCoder) {
    this.#settings = settings;
    this.#trials = trials;
    this.#coder = coder;
  }

  /** Refines the vectors of the best trial, unless it is intra or skipped. */
  refine(job: MacroblockJob): void {
    const { fullRefinementRounds } = this.#settings.tools;
    const { direction, flags } = this.#trials.best;
    if (flags === 0 || direction === 0) return;
    this.#coded = [];
    for (let round = 0; round < fullRefinementRounds; round++) {
      const before = pairOf(this.#trials.best);
      if (direction & MACROBLOCK_MOTION_BACKWARD) this.#tryAround(job, direction, 2);
      if (direction & MACROBLOCK_MOTION_FORWARD) this.#tryAround(job, direction, 0);
      if (isSame(before, pairOf(this.#trials.best))) return;
    }
  }

  /** Codes the neighbours of one vector of the best trial; `first` is the index of its dx in the pair. */
  #tryAround(job: MacroblockJob, direction: number, first: 0 | 2): void {
    const centre = pairOf(this.#trials.best);
    this.#coded.push(centre);
    for (const [dx, dy] of NEIGHBOURS) {
      const [x, y] = [centre[first] + dx, centre[first + 1]! + dy];
      const pair: VectorPair = first === 0 ? [x, y, centre[2], centre[3]] : [centre[0], centre[1], x, y];
      if (!this.#allows(job, first, x, y) || this.#coded.some(coded => isSame(coded, pair))) continue;
      this.#coded.push(pair);
      this.#trials.spare.setMotion(direction, ...pair);
      this.#coder.codePredicted(job, this.#trials.spare);
      this.#trials.offer();
    }
  }

  #allows({ at: { mbX, mbY } }: MacroblockJob, first: 0 | 2, dxHalfPels: number, dyHalfPels: number): boolean {
    const { forwardRange, backwardRange } = this.#settings;
    return (first === 0 ? forwardRange : backwardRange).allows(mbX, mbY, dxHalfPels, dyHalfPels);
  }
}

function pairOf(trial: MacroblockTrial): VectorPair {
  return [trial.forwardDxHalfPels, trial.forwardDyHalfPels, trial.backwardDxHalfPels, trial.backwardDyHalfPels];
}

function isSame(one: VectorPair, other: VectorPair): boolean {
  return one.every((component, i) => component === other[i]);
}
