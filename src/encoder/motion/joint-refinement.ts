import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { JOINT_SEARCH } from '../../kernels/vector-kernels.js';
import type { Workspace } from '../picture/workspace.js';
import type { MotionRefinement } from './motion-refinement.js';

/**
 * Finds the pair of vectors of an interpolated prediction: from the best vector of either direction, each in turn moves to
 * its half-pel neighbours while the other stays, by the SAD of the mean of both predictions and the vectors' bits.
 */
export class JointRefinement {
  readonly #kernels: Kernels;
  readonly #memory: KernelMemory;
  /** The JOINT_SEARCH in kernel memory. */
  readonly #joint: number;

  /** `rounds` 0 takes the two best vectors as they are. */
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

  /** Works on the macroblock whose two vectors were found last. */
  refine(): void {
    this.#kernels.refineJointly(this.#joint);
  }

  /** The pair found, in half-pels; its SAD and cost. */
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
