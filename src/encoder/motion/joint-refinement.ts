import type { Kernels } from '../../kernels/kernels.js';
import { JOINT_SEARCH, type JointSearch } from '../../kernels/records/joint-search.js';
import type { Workspace } from '../picture/workspace.js';
import type { MotionRefinement } from './motion-refinement.js';

/**
 * Finds the pair of vectors of an interpolated prediction: from the best vector of either direction, each in turn moves to
 * its half-pel neighbours while the other stays, by the SAD of the mean of both predictions and the vectors' bits.
 */
export class JointRefinement {
  readonly #kernels: Kernels;
  /** The JOINT_SEARCH in kernel memory. */
  readonly #joint: JointSearch;

  /** `rounds` 0 takes the two best vectors as they are. */
  constructor(workspace: Workspace, forward: MotionRefinement, backward: MotionRefinement, rounds: number) {
    const { kernels, memory, jointSearch, scratchPrediction } = workspace;
    this.#kernels = kernels;
    this.#joint = JOINT_SEARCH.at(memory, jointSearch);
    this.#joint.forward = forward.search.pointer;
    this.#joint.backward = backward.search.pointer;
    this.#joint.rounds = rounds;
    this.#joint.scratch = scratchPrediction;
  }

  /** Works on the macroblock whose two vectors were found last. */
  refine(): void {
    this.#kernels.refineJointly(this.#joint.pointer);
  }

  /** The pair found, in half-pels; its SAD and cost. */
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
