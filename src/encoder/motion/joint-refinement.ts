// Refines both vectors of an interpolated macroblock together.

import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { JOINT_SEARCH } from '../../kernels/vector-kernels.js';
import type { Workspace } from '../picture/workspace.js';
import type { MotionRefinement } from './motion-refinement.js';

/**
 * Finds a pair of vectors by the SAD of the interpolated prediction + lambda * bits. It starts from the best vector of
 * each direction; in turn, one vector moves to its best half-pel neighbour while the other stays. See VectorKernels.
 */
export class JointRefinement {
  readonly #kernels: Kernels;
  readonly #memory: KernelMemory;
  /** Pointer to the JOINT_SEARCH. */
  readonly #joint: number;

  /** With 0 `rounds` the two best vectors stay as they are. */
  constructor(workspace: Workspace, forward: MotionRefinement, backward: MotionRefinement, rounds: number) {
    const { kernels, memory, jointSearch, scratchPrediction } = workspace;
    this.#kernels = kernels;
    this.#memory = memory;
    this.#joint = jointSearch;
    const settings = { forward: forward.search, backward: backward.search, rounds, scratch: scratchPrediction };
    for (const [name, value] of Object.entries(settings)) {
      memory.i32[(jointSearch + JOINT_SEARCH[name as keyof typeof settings]) >> 2] = value;
    }
  }

  /** Refines the vectors that the two searches found last. */
  refine(): void {
    this.#kernels.refineJointly(this.#joint);
  }

  /** The pair found, its SAD and its cost. */
  get forwardDxHalfPels(): number {
    return this.#memory.i32[(this.#joint + JOINT_SEARCH.forwardDxHalfPels) >> 2]!;
  }
  get forwardDyHalfPels(): number {
    return this.#memory.i32[(this.#joint + JOINT_SEARCH.forwardDyHalfPels) >> 2]!;
  }
  get backwardDxHalfPels(): number {
    return this.#memory.i32[(this.#joint + JOINT_SEARCH.backwardDxHalfPels) >> 2]!;
  }
  get backwardDyHalfPels(): number {
    return this.#memory.i32[(this.#joint + JOINT_SEARCH.backwardDyHalfPels) >> 2]!;
  }
  get sad(): number {
    return this.#memory.i32[(this.#joint + JOINT_SEARCH.sad) >> 2]!;
  }
  get cost(): number {
    return this.#memory.f64[(this.#joint + JOINT_SEARCH.cost) >> 3]!;
  }
}
