// Refines vectors by what they really cost: each is coded in full.
import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../bitstream/tables/macroblock-codes.js';
import { NEIGHBOURS } from '../motion/search/neighbours.js';
import { setMotion, type VectorPair, vectorsOf } from './macroblock-trial.js';
import { MAX_CODED_PREDICTIONS, REFINED_COST_FACTOR } from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';
import { codePredicted } from './trial-coder.js';

/** What a macroblock is predicted from: MACROBLOCK_MOTION flags, and vectors. */
export interface Motion {
  readonly direction: number;
  readonly vectors: VectorPair;
}

/** A prediction that has been coded in full. */
interface CodedMotion extends Motion {
  readonly cost: number;
}

/**
 * The predictions of a macroblock that are coded in full: each once, at most MAX_CODED_PREDICTIONS. What is better than
 * the best trial takes its place.
 */
export class CodedPredictions {
  readonly #macroblock: OpenMacroblock;
  readonly #coded: Motion[] = [];
  readonly #starts: CodedMotion[] = [];

  constructor(macroblock: OpenMacroblock) {
    this.#macroblock = macroblock;
  }

  /**
   * Codes a prediction, which becomes a start of refinements. `isOnlyMode`: no other mode is compared with it. Vectors
   * of a direction that is not used are passed over.
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
      if (start.direction & MACROBLOCK_MOTION_BACKWARD) best = this.#bestAround(best, 2);
      if (start.direction & MACROBLOCK_MOTION_FORWARD) best = this.#bestAround(best, 0);
      if (best === before) return;
    }
  }

  /** The best of a prediction and the neighbours of one of its vectors, whose dx is at index `first` of the pair. */
  #bestAround(centre: CodedMotion, first: 0 | 2): CodedMotion {
    const { direction, vectors: from } = centre;
    const search = first === 0 ? this.#macroblock.forward : this.#macroblock.backward;
    let best = centre;
    for (const [dx, dy] of NEIGHBOURS) {
      const [x, y] = [from[first] + dx, from[first + 1]! + dy];
      const vectors: VectorPair = first === 0 ? [x, y, from[2], from[3]] : [from[0], from[1], x, y];
      const coded = this.#macroblock.allows(search, x, y) ? this.#codeOnce({ direction, vectors }) : undefined;
      if (coded && coded.cost < best.cost) best = coded;
    }
    return best;
  }

  /** Codes a prediction and offers it; undefined if it has been coded before, or there is no room for it. */
  #codeOnce({ direction, vectors: given }: Motion, isOnlyMode = false): CodedMotion | undefined {
    const macroblock = this.#macroblock;
    const trial = macroblock.spare;
    setMotion(trial, direction, given);
    const vectors = vectorsOf(trial);
    const motion = { direction, vectors };
    if (this.#coded.length === MAX_CODED_PREDICTIONS || this.#coded.some(other => isSame(other, motion))) return;
    this.#coded.push(motion);
    codePredicted(macroblock, trial, isOnlyMode);
    const coded = { ...motion, cost: trial.cost };
    macroblock.offer();
    return coded;
  }
}

function isSame(one: Motion, other: Motion): boolean {
  return one.direction === other.direction && one.vectors.every((component, i) => component === other.vectors[i]);
}
