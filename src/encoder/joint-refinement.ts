import { type MotionRefinement, NEIGHBOURS } from './motion-refinement.js';
import type { Anchors, MacroblockPosition } from './prediction.js';
import type { PlanePointers, Workspace } from './workspace.js';

/**
 * Finds the pair of vectors of an interpolated prediction: from the best vector of either direction, each in turn moves to
 * its half-pel neighbours while the other stays, by the SAD of the mean of both predictions and the vectors' bits.
 */
export class JointRefinement {
  readonly #workspace: Workspace;
  readonly #anchors: Anchors;
  readonly #rounds: number;
  /** The pair found, in half-pels; its SAD and cost. */
  forwardX = 0;
  forwardY = 0;
  backwardX = 0;
  backwardY = 0;
  sad = 0;
  cost = 0;
  #at: MacroblockPosition = { mbX: 0, mbY: 0 };

  /** `rounds` 0 takes the two best vectors as they are. */
  constructor(workspace: Workspace, anchors: Anchors, rounds: number) {
    this.#workspace = workspace;
    this.#anchors = anchors;
    this.#rounds = rounds;
  }

  /** Works on a macroblock whose refinements have found their vectors. */
  refine(at: MacroblockPosition, forward: MotionRefinement, backward: MotionRefinement): void {
    this.#at = at;
    this.forwardX = forward.x;
    this.forwardY = forward.y;
    this.backwardX = backward.x;
    this.backwardY = backward.y;
    const { past, future } = this.#anchors;
    this.#fix(past, this.forwardX, this.forwardY);
    this.sad = this.#sad(future, this.backwardX, this.backwardY);
    this.cost =
      this.sad + forward.bitCost(this.forwardX, this.forwardY) + backward.bitCost(this.backwardX, this.backwardY);
    for (let round = 0; round < this.#rounds; round++) {
      if (round > 0) this.#fix(past, this.forwardX, this.forwardY);
      const backwardMoved = this.#moveBackward(forward, backward);
      this.#fix(future, this.backwardX, this.backwardY);
      const forwardMoved = this.#moveForward(forward, backward);
      if (!backwardMoved && !forwardMoved) return;
    }
  }

  #moveBackward(forward: MotionRefinement, backward: MotionRefinement): boolean {
    const { backwardX: x, backwardY: y } = this;
    const fixedCost = forward.bitCost(this.forwardX, this.forwardY);
    for (let i = 0; i < 16; i += 2) {
      const tryX = x + NEIGHBOURS[i]!;
      const tryY = y + NEIGHBOURS[i + 1]!;
      if (!backward.allows(tryX, tryY)) continue;
      if (!this.#isBetter(this.#anchors.future, tryX, tryY, fixedCost + backward.bitCost(tryX, tryY))) continue;
      this.backwardX = tryX;
      this.backwardY = tryY;
    }
    return this.backwardX !== x || this.backwardY !== y;
  }

  #moveForward(forward: MotionRefinement, backward: MotionRefinement): boolean {
    const { forwardX: x, forwardY: y } = this;
    const fixedCost = backward.bitCost(this.backwardX, this.backwardY);
    for (let i = 0; i < 16; i += 2) {
      const tryX = x + NEIGHBOURS[i]!;
      const tryY = y + NEIGHBOURS[i + 1]!;
      if (!forward.allows(tryX, tryY)) continue;
      if (!this.#isBetter(this.#anchors.past, tryX, tryY, fixedCost + forward.bitCost(tryX, tryY))) continue;
      this.forwardX = tryX;
      this.forwardY = tryY;
    }
    return this.forwardX !== x || this.forwardY !== y;
  }

  /** Tries a vector against the fixed prediction; keeps its SAD and cost if that is better. */
  #isBetter(anchor: PlanePointers, x: number, y: number, bitCost: number): boolean {
    const sad = this.#sad(anchor, x, y);
    if (sad + bitCost >= this.cost) return false;
    this.sad = sad;
    this.cost = sad + bitCost;
    return true;
  }

  /** Forms the prediction that stays. */
  #fix(anchor: PlanePointers, x: number, y: number): void {
    const { kernels, scratchPrediction } = this.#workspace;
    kernels.interpolate(scratchPrediction, 16, this.#pointer(anchor, x, y), anchor.lumaStride, 16, x & 1, y & 1);
  }

  #sad(anchor: PlanePointers, x: number, y: number): number {
    const { kernels, source, scratchPrediction } = this.#workspace;
    const { mbX, mbY } = this.#at;
    const pels = source.y + mbY * 16 * source.lumaStride + mbX * 16;
    return kernels.sadAverage16x16(
      pels,
      source.lumaStride,
      scratchPrediction,
      this.#pointer(anchor, x, y),
      anchor.lumaStride,
      x & 1,
      y & 1,
    );
  }

  #pointer(anchor: PlanePointers, x: number, y: number): number {
    const { mbX, mbY } = this.#at;
    return anchor.y + (mbY * 16 + (y >> 1)) * anchor.lumaStride + mbX * 16 + (x >> 1);
  }
}
