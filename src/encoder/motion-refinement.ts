import type { KernelMemory } from '../kernels/kernel-memory.js';
import type { Kernels } from '../kernels/kernels.js';
import type { VectorCost } from './vector-cost.js';
import type { PlanePointers } from './workspace.js';

/** What stays the same for all macroblocks of a picture. */
export interface RefinementSettings {
  readonly kernels: Kernels;
  readonly memory: KernelMemory;
  /** Room for eight int32. */
  readonly neighbourSads: number;
  readonly source: PlanePointers;
  readonly reference: PlanePointers;
  readonly vectors: VectorCost;
  /** Rounds of half-pel refinement. */
  readonly rounds: number;
}

/** The eight half-pel neighbours of a vector, x and y in turn, the nearest first. */
export const NEIGHBOURS = [0, -1, -1, 0, 1, 0, 0, 1, -1, -1, 1, -1, -1, 1, 1, 1] as const;

/** Most vectors remembered per macroblock, so that none is compared twice. */
const MEMORY = 64;

/**
 * Finds the vector of a macroblock on the *reconstructed* reference: proposals are compared there, the bits of their
 * difference from the predicted vector in the cost; then the half-pel neighbours of the best. Use: `begin`, `propose` as
 * often as wanted, `refine`; the best vector is then in `x`, `y`, `cost`, and all that were tried in the tried arrays.
 */
export class MotionRefinement {
  readonly #settings: RefinementSettings;
  /** The best vector so far in half-pels; its SAD and its cost (SAD + lambda * bits). */
  x = 0;
  y = 0;
  sad = 0;
  cost = 0;
  /** Lambda for sums of absolute differences; to be set before `begin`. */
  lambda = 0;
  /** SAD of the zero vector, or -1 if it was not proposed. */
  zeroSad = -1;
  /** Everything tried for this macroblock, in the order of trial. */
  tried = 0;
  readonly triedX = new Int16Array(MEMORY);
  readonly triedY = new Int16Array(MEMORY);
  readonly triedCost = new Float64Array(MEMORY);
  #mbX = 0;
  #mbY = 0;
  #predictedX = 0;
  #predictedY = 0;
  #sourcePointer = 0;

  constructor(settings: RefinementSettings) {
    this.#settings = settings;
  }

  /** Starts on a macroblock whose predicted vector is given, in half-pels. */
  begin(mbX: number, mbY: number, predictedX: number, predictedY: number): void {
    const { source } = this.#settings;
    this.#mbX = mbX;
    this.#mbY = mbY;
    this.#predictedX = predictedX;
    this.#predictedY = predictedY;
    this.#sourcePointer = source.y + mbY * 16 * source.lumaStride + mbX * 16;
    this.tried = 0;
    this.cost = Number.POSITIVE_INFINITY;
    this.zeroSad = -1;
  }

  /** Compares one vector (half-pels); one that is not allowed or has been tried is passed over. */
  propose(x: number, y: number): void {
    const { kernels, source, reference, vectors } = this.#settings;
    if (this.tried === MEMORY || !vectors.allows(this.#mbX, this.#mbY, x, y)) return;
    for (let i = 0; i < this.tried; i++) if (this.triedX[i] === x && this.triedY[i] === y) return;
    const stride = reference.lumaStride;
    const at = reference.y + (this.#mbY * 16 + (y >> 1)) * stride + this.#mbX * 16 + (x >> 1);
    const sad =
      ((x | y) & 1) === 0
        ? kernels.sad16x16(this.#sourcePointer, source.lumaStride, at, stride)
        : kernels.sadHalfPel16x16(this.#sourcePointer, source.lumaStride, at, stride, x & 1, y & 1);
    this.#note(x, y, sad);
  }

  /** Remembers a vector that was compared, and keeps the better one. */
  #note(x: number, y: number, sad: number): void {
    const cost = sad + this.bitCost(x, y);
    this.triedX[this.tried] = x;
    this.triedY[this.tried] = y;
    this.triedCost[this.tried] = cost;
    this.tried++;
    if (x === 0 && y === 0) this.zeroSad = sad;
    if (cost < this.cost) {
      this.cost = cost;
      this.sad = sad;
      this.x = x;
      this.y = y;
    }
  }

  /** Lambda * bits of a vector that is allowed. */
  bitCost(x: number, y: number): number {
    const { vectors } = this.#settings;
    return this.lambda * (vectors.componentBits(x - this.#predictedX) + vectors.componentBits(y - this.#predictedY));
  }

  /** Whether the current macroblock may use a vector. */
  allows(x: number, y: number): boolean {
    return this.#settings.vectors.allows(this.#mbX, this.#mbY, x, y);
  }

  /** Tries the half-pel neighbours of the best vector, and of where that leads, for the settings' number of rounds. */
  refine(): void {
    for (let round = 0; round < this.#settings.rounds; round++) {
      const { x, y } = this;
      if (((x | y) & 1) === 0 && this.tried + 8 <= MEMORY) this.#tryAllNeighbours(x, y);
      else for (let i = 0; i < 16; i += 2) this.propose(x + NEIGHBOURS[i]!, y + NEIGHBOURS[i + 1]!);
      if (this.x === x && this.y === y) return;
    }
  }

  /** Compares all half-pel neighbours of a full-pel vector in one go. */
  #tryAllNeighbours(x: number, y: number): void {
    const { kernels, memory, neighbourSads, source, reference } = this.#settings;
    const stride = reference.lumaStride;
    const at = reference.y + (this.#mbY * 16 + (y >> 1)) * stride + this.#mbX * 16 + (x >> 1);
    kernels.sadHalfPelNeighbours16x16(this.#sourcePointer, source.lumaStride, at, stride, neighbourSads);
    for (let i = 0; i < 8; i++) {
      const nearX = x + NEIGHBOURS[2 * i]!;
      const nearY = y + NEIGHBOURS[2 * i + 1]!;
      if (this.allows(nearX, nearY)) this.#note(nearX, nearY, memory.i32[(neighbourSads >> 2) + i]!);
    }
  }

  /** Index among the tried vectors of the one `rank` places after the best, the zero vector left out; -1: there is none. */
  nextBest(rank: number): number {
    let floor = this.cost;
    let found = -1;
    for (let i = 0; i < rank; i++) {
      found = this.#leastAbove(floor);
      if (found < 0) return -1;
      floor = this.triedCost[found]!;
    }
    return found;
  }

  #leastAbove(floor: number): number {
    let least = Number.POSITIVE_INFINITY;
    let found = -1;
    for (let i = 0; i < this.tried; i++) {
      if (this.triedX[i] === 0 && this.triedY[i] === 0) continue;
      const cost = this.triedCost[i]!;
      if (cost > floor && cost < least) {
        least = cost;
        found = i;
      }
    }
    return found;
  }
}
