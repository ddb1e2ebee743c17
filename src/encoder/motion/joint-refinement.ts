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
  readonly #joint: JointSearch;

  /** With 0 `rounds` the two best vectors stay as they are. */
  constructor(workspace: Workspace, forward: MotionRefinement, backward: MotionRefinement, rounds: number) {
    const { kernels, memory, jointSearch, scratchPrediction } = workspace;
    this.#kernels = kernels;
    this.#joint = JOINT_SEARCH.at(memory, jointSearch);
    this.#joint.forward = forward.search.pointer;
    this.#joint.backward = backward.search.pointer;
    this.#joint.rounds = rounds;
    this.#joint.scratch = scratchPrediction;
  }

  /** Refines the vectors that the two searches found last. */
  refine(): void {
    this.#kernels.refineJointly(this.#joint.pointer);
  }

  /** The pair found, its SAD and its cost. */
  get forwardDxHalfPels(): number {
    return this.#joint.forwardDxHalfPels;
  }
  get forwardDyHalfPels(): number {
    return this.#joint.forwardDyHalfPels;
  }
  get backwardDxHalfPels(): number {
    return this.#joint.backwardDxHalfPels;
  }
  get backwardDyHalfPels(): number {
    return this.#joint.backwardDyHalfPels;
  }
  get sad(): number {
    return this.#joint.sad;
  }
  get cost(): number {
    return this.#joint.cost;
  }
}
