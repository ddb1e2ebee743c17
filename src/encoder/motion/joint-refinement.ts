// Refines both vectors of an interpolated macroblock together.

import type { Kernels } from '../../kernels/kernels.js';
import { JOINT_SEARCH, type JointSearch } from '../../kernels/records/joint-search.js';
import type { Workspace } from '../picture/workspace.js';
import type { MotionRefinement } from './motion-refinement.js';

/**
 * Finds a pair of vectors by the SAD of the interpolated prediction + lambda * bits. It starts from the best vector of
 * each direction; in turn, one vector moves to its best half-pel neighbour while the other stays. See CandidateKernels.
 */
export class JointRefinement {
  readonly #kernels: Kernels;
  readonly #pointer: number;
  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  /** Where the pair lies: four components one after the other, then its SAD. */
  readonly #pair: number;
  readonly #cost: number;

  /** With 0 `rounds` the two best vectors stay as they are. */
  constructor(workspace: Workspace, forward: MotionRefinement, backward: MotionRefinement, rounds: number) {
    const { kernels, memory, jointSearch, scratchPrediction } = workspace;
    this.#kernels = kernels;
    this.#pointer = jointSearch;
    this.#i32 = memory.i32;
    this.#f64 = memory.f64;
    this.#pair = JOINT_SEARCH.indexOf(jointSearch, 'forwardDxHalfPels');
    this.#cost = JOINT_SEARCH.indexOf(jointSearch, 'cost');
    const settings: Partial<JointSearch> = {
      forward: forward.pointer,
      backward: backward.pointer,
      rounds,
      scratch: scratchPrediction,
    };
    Object.assign(JOINT_SEARCH.at(memory, jointSearch), settings);
  }

  /** Refines the vectors that the two searches found last. */
  refine(): void {
    this.#kernels.refineJointly(this.#pointer);
  }

  /** The pair found, its SAD and its cost. */
  get forwardDxHalfPels(): number {
    return this.#i32[this.#pair]!;
  }
  get forwardDyHalfPels(): number {
    return this.#i32[this.#pair + 1]!;
  }
  get backwardDxHalfPels(): number {
    return this.#i32[this.#pair + 2]!;
  }
  get backwardDyHalfPels(): number {
    return this.#i32[this.#pair + 3]!;
  }
  get sad(): number {
    return this.#i32[this.#pair + 4]!;
  }
  get cost(): number {
    return this.#f64[this.#cost]!;
  }
}
