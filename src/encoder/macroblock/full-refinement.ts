// Refines the vectors of the best mode by what they really cost: each is coded in full.
import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import type { BestTrial } from './best-trial.js';
import type { MacroblockJob } from './macroblock-job.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { TrialCoder, TrialSettings } from './trial-coder.js';

/** The half-pel neighbours of a vector, those beside it first. */
const NEIGHBOURS = [
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;

/** Both vectors of a prediction, in half-pels: forward dx, dy, backward dx, dy. */
type VectorPair = readonly [number, number, number, number];

/** A prediction that has been coded in full. */
export interface CodedPrediction {
  readonly direction: number;
  readonly vectors: VectorPair;
  readonly cost: number;
}

/**
 * Codes the half-pel neighbours of a prediction's vectors in full, and goes on from the best of them, some rounds at
 * most. In an interpolated macroblock one vector moves while the other stays.
 */
export class FullRefinement {
  readonly #settings: TrialSettings;
  readonly #trials: BestTrial;
  readonly #coder: TrialCoder;
  /** What has been coded from one start on. */
  #coded: VectorPair[] = [];

  constructor(settings: TrialSettings, trials: BestTrial, coder: TrialCoder) {
    this.#settings = settings;
    this.#trials = trials;
    this.#coder = coder;
  }

  /** Refines the vectors of a prediction; what is better than the best trial takes its place. */
  refine(job: MacroblockJob, start: CodedPrediction): void {
    const { fullRefinementRounds } = this.#settings.tools;
    this.#coded = [start.vectors];
    let best = start;
    for (let round = 0; round < fullRefinementRounds; round++) {
      const before = best;
      if (start.direction & MACROBLOCK_MOTION_BACKWARD) best = this.#bestAround(job, best, 2);
      if (start.direction & MACROBLOCK_MOTION_FORWARD) best = this.#bestAround(job, best, 0);
      if (best === before) return;
    }
  }

  /** The best of a prediction and the neighbours of one of its vectors, whose dx is at index `first` of the pair. */
  #bestAround(job: MacroblockJob, centre: CodedPrediction, first: 0 | 2): CodedPrediction {
    const { direction, vectors: from } = centre;
    let best = centre;
    for (const [dx, dy] of NEIGHBOURS) {
      const [x, y] = [from[first] + dx, from[first + 1]! + dy];
      const vectors: VectorPair = first === 0 ? [x, y, from[2], from[3]] : [from[0], from[1], x, y];
      if (!this.#allows(job, first, x, y) || this.#coded.some(coded => isSame(coded, vectors))) continue;
      this.#coded.push(vectors);
      const trial = this.#trials.spare;
      trial.setMotion(direction, ...vectors);
      this.#coder.codePredicted(job, trial);
      const { cost } = trial;
      if (cost < best.cost) best = { direction, vectors, cost };
      this.#trials.offer();
    }
    return best;
  }

  #allows({ at: { mbX, mbY } }: MacroblockJob, first: 0 | 2, dxHalfPels: number, dyHalfPels: number): boolean {
    const { forwardRange, backwardRange } = this.#settings;
    return (first === 0 ? forwardRange : backwardRange).allows(mbX, mbY, dxHalfPels, dyHalfPels);
  }
}

/** What a predicted trial has coded. */
export function predictionOf(trial: MacroblockTrial): CodedPrediction {
  const { direction, forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels, cost } = trial;
  const vectors = [forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels] as const;
  return { direction, vectors, cost };
}

function isSame(one: VectorPair, other: VectorPair): boolean {
  return one.every((component, i) => component === other[i]);
}
