// Refines vectors by what they really cost: each is coded in full.
import {
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
} from '../bitstream/tables/macroblock-codes.js';
import { MAX_CODED_PREDICTIONS } from '../kernels/records/macroblock-choices.js';
import { NEIGHBOURS } from '../motion/search/neighbours.js';
import { compareEstimate, estimateCost, mayBeCheap } from './likely-modes.js';
import { type Motion, setMotion, vectorsOf } from './macroblock-trial.js';
import { REFINED_COST_FACTOR } from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';
import {
  addPrediction,
  findPrediction,
  giveUpPrediction,
  keepPrediction,
  recallPrediction,
  wasGivenUp,
} from './row/coded-predictions.js';
import { codePredicted, codeTransformed, countHeader, transformPredicted } from './trial-coder.js';

/** A prediction that has been coded in full. */
interface CodedMotion extends Motion {
  readonly cost: number;
}

/**
 * The predictions of a macroblock that are coded in full, at most MAX_CODED_PREDICTIONS: each once, also where the row
 * is coded again. Where predictions are refined, unlikely ones are given up before their levels are chosen. Each is
 * compared once in a coding of the macroblock; what is better than the best trial takes its place.
 */
export class CodedPredictions {
  readonly #macroblock: OpenMacroblock;
  readonly #compared = new Set<number>();
  readonly #starts: CodedMotion[] = [];

  constructor(macroblock: OpenMacroblock) {
    this.#macroblock = macroblock;
  }

  /**
   * Codes a prediction, which becomes a start of refinements. `isOnlyMode`: no other mode is compared with it. Vectors
   * of a direction that is not used are ignored.
   */
  code(motion: Motion, isOnlyMode = false): void {
    const coded = this.#codeOnce(motion, isOnlyMode);
    if (coded) this.#starts.push(coded);
  }

  /** Refines the best trial, which is a predicted one. */
  refineBest(): void {
    const { direction, cost } = this.#macroblock.best;
    this.#refine({ direction, vectors: vectorsOf(this.#macroblock.best), cost });
  }

  /** Refines those of the first `count` starts that are nearly as good as the best trial. */
  refineStarts(count: number): void {
    for (const start of this.#starts.slice(0, count)) {
      if (start.cost <= this.#macroblock.best.cost * REFINED_COST_FACTOR) this.#refine(start);
    }
  }

  /**
   * Codes the half-pel neighbours of a prediction's vectors, and goes on from the best of them, some rounds at most. In
   * an interpolated macroblock one vector moves while the other stays.
   */
  #refine(start: CodedMotion): void {
    let best = start;
    for (let round = 0; round < this.#macroblock.coding.fullRefinementRounds; round++) {
      const before = best;
      if (start.direction & MACROBLOCK_MOTION_BACKWARD) best = this.#bestAround(best, 0, 1);
      if (start.direction & MACROBLOCK_MOTION_FORWARD) best = this.#bestAround(best, 1, 0);
      if (start.direction === MACROBLOCK_MOTION_BOTH) {
        best = this.#bestAround(best, 1, 1);
        best = this.#bestAround(best, 1, -1);
      }
      if (best === before) return;
    }
  }

  /** The best of a prediction and those around it: its vectors move by half a pel, `forward` and `backward` times. */
  #bestAround(centre: CodedMotion, forward: 0 | 1, backward: 0 | 1 | -1): CodedMotion {
    const { direction, vectors: from } = centre;
    const macroblock = this.#macroblock;
    let best = centre;
    for (const [dx, dy] of NEIGHBOURS) {
      const [forwardDx, forwardDy] = [from[0] + forward * dx, from[1] + forward * dy];
      const [backwardDx, backwardDy] = [from[2] + backward * dx, from[3] + backward * dy];
      if (forward !== 0 && !macroblock.allows(macroblock.forward, forwardDx, forwardDy)) continue;
      if (backward !== 0 && !macroblock.allows(macroblock.backward, backwardDx, backwardDy)) continue;
      const coded = this.#codeOnce({ direction, vectors: [forwardDx, forwardDy, backwardDx, backwardDy] });
      if (coded && coded.cost < best.cost) best = coded;
    }
    return best;
  }

  /** Codes, gives up or recalls a prediction, and offers it; undefined if it has been compared, or has no room. */
  #codeOnce({ direction, vectors: given }: Motion, isOnlyMode = false): CodedMotion | undefined {
    const macroblock = this.#macroblock;
    const trial = macroblock.spare;
    setMotion(trial, direction, given);
    const motion = { direction, vectors: vectorsOf(trial) };
    if (isOnlyMode) codePredicted(macroblock, trial, true);
    else if (!this.#findCost(motion)) return;
    const coded = { ...motion, cost: trial.cost };
    macroblock.offer();
    return coded;
  }

  /** Finds the cost of the spare trial by its motion. Returns false if that has been compared, or has no room. */
  #findCost(motion: Motion): boolean {
    const { choices, wantedScale, best, spare: trial } = this.#macroblock;
    const number = findPrediction(choices, motion, wantedScale);
    if (number === MAX_CODED_PREDICTIONS || this.#compared.has(number)) return false;
    const isNew = number === choices.count;
    if (isNew) addPrediction(choices, motion, wantedScale);
    // A macroblock needs one prediction at least.
    if (isNew || (wasGivenUp(choices, number) && best.cost === Number.POSITIVE_INFINITY)) this.#codeNew(number);
    else {
      recallPrediction(choices, trial, number);
      countHeader(this.#macroblock, trial);
    }
    this.#compared.add(number);
    choices.cost[number] = trial.cost;
    return true;
  }

  /** Codes the spare trial, unless it is given up as unlikely, and keeps what it takes. */
  #codeNew(number: number): void {
    const macroblock = this.#macroblock;
    const { choices, coding, spare: trial } = macroblock;
    if (coding.fullRefinementRounds === 0) codePredicted(macroblock, trial);
    else {
      transformPredicted(macroblock, trial);
      const estimate = estimateCost(macroblock, trial);
      if (!mayBeCheap(macroblock, estimate)) {
        giveUpPrediction(choices, number);
        trial.cost = Number.POSITIVE_INFINITY;
        return;
      }
      codeTransformed(macroblock, trial);
      compareEstimate(macroblock, trial, estimate);
    }
    keepPrediction(choices, trial, number);
  }
}
