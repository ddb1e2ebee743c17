// Finds the vector of a macroblock on the reconstructed reference: compares proposals, then refines to half a pel.

import { motionDifferenceBits, motionDifferenceOrigin } from '../../bitstream/tables/motion-vector-codes.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { MAX_TRIED, VECTOR_SEARCH } from '../../kernels/vector-kernels.js';
import type { MacroblockPosition } from '../macroblock/macroblock-job.js';
import type { PlanePointers, VectorSearchPlaces, Workspace } from '../picture/workspace.js';
import { proposalsPerMacroblock, type VectorProposals, writeProposals } from './vector-proposals.js';
import type { VectorRange } from './vector-range.js';

/** What stays the same for all macroblocks of a picture. */
export interface RefinementSettings {
  readonly workspace: Workspace;
  /** Where the search of this direction and the vectors chosen so far in the picture lie. */
  readonly places: VectorSearchPlaces;
  readonly reference: PlanePointers;
  readonly proposals: VectorProposals;
  readonly range: VectorRange;
  /** Whether the vectors chosen for the macroblocks around are compared, too. */
  readonly neighbours: boolean;
  /** Rounds of half-pel refinement. */
  readonly rounds: number;
}

/** The vector search of one direction of a picture; see VectorKernels. Vectors are compared by SAD + lambda * bits. */
export class MotionRefinement {
  /** Pointer to the VECTOR_SEARCH. */
  readonly search: number;
  readonly #kernels: Kernels;
  readonly #memory: KernelMemory;

  /** Throws InputError if the estimator's field has the wrong size. */
  constructor({ workspace, places, reference, proposals, range, neighbours, rounds }: RefinementSettings) {
    const { memory, grid, kernels, source } = workspace;
    this.search = places.search;
    this.#kernels = kernels;
    this.#memory = memory;
    const settings = {
      source: source.record,
      reference: reference.record,
      differenceBits: places.differenceBits + motionDifferenceOrigin(range.fCode),
      least: range.minHalfPels,
      greatest: range.maxHalfPels,
      right: range.maxXHalfPels,
      bottom: range.maxYHalfPels,
      rounds,
      mbWidth: grid.mbWidth,
      candidates: proposalsPerMacroblock(proposals),
      fieldX: places.fieldX,
      fieldY: places.fieldY,
      chosenX: places.chosenX,
      chosenY: places.chosenY,
      neighbours: neighbours ? 1 : 0,
    };
    for (const [name, value] of Object.entries(settings)) {
      memory.i32[(this.search + VECTOR_SEARCH[name as keyof typeof settings]) >> 2] = value;
    }
    memory.u8.set(motionDifferenceBits(range.fCode), places.differenceBits);
    writeProposals(memory, places, grid.mbWidth * grid.mbHeight, proposals);
  }

  /**
   * Finds the vector of a macroblock whose predicted vector is given. `lambda` is that for sums of absolute
   * differences.
   */
  find(
    { mbX, mbY }: MacroblockPosition,
    predictedDxHalfPels: number,
    predictedDyHalfPels: number,
    lambda: number,
  ): void {
    this.#memory.f64[(this.search + VECTOR_SEARCH.lambda) >> 3] = lambda;
    this.#kernels.findVector(this.search, mbX, mbY, predictedDxHalfPels, predictedDyHalfPels);
  }

  /** The best vector, its SAD and its cost. */
  get dxHalfPels(): number {
    return this.#memory.i32[(this.search + VECTOR_SEARCH.x) >> 2]!;
  }
  get dyHalfPels(): number {
    return this.#memory.i32[(this.search + VECTOR_SEARCH.y) >> 2]!;
  }
  get sad(): number {
    return this.#memory.i32[(this.search + VECTOR_SEARCH.sad) >> 2]!;
  }
  get cost(): number {
    return this.#memory.f64[(this.search + VECTOR_SEARCH.cost) >> 3]!;
  }
  /** SAD of the zero vector. */
  get zeroSad(): number {
    return this.#memory.i32[(this.search + VECTOR_SEARCH.zeroSad) >> 2]!;
  }

  /** A vector that was tried, by its index. */
  triedDxHalfPels(index: number): number {
    return this.#memory.i16[((this.search + VECTOR_SEARCH.tried) >> 1) + 2 * index]!;
  }
  triedDyHalfPels(index: number): number {
    return this.#memory.i16[((this.search + VECTOR_SEARCH.tried) >> 1) + 2 * index + 1]!;
  }

  /** Index of the tried vector that comes `rank` places after the best, without the zero vector; -1: there is none. */
  nextBest(rank: number): number {
    let cost = this.cost;
    let found = -1;
    for (let i = 0; i < rank; i++) {
      found = this.#cheapestAbove(cost);
      if (found < 0) return -1;
      cost = this.#triedCost(found);
    }
    return found;
  }

  #triedCost(index: number): number {
    return this.#memory.f64[((this.search + VECTOR_SEARCH.triedCost) >> 3) + index]!;
  }

  #cheapestAbove(floor: number): number {
    const tried = Math.min(MAX_TRIED, this.#memory.i32[(this.search + VECTOR_SEARCH.triedCount) >> 2]!);
    let minCost = Number.POSITIVE_INFINITY;
    let found = -1;
    for (let i = 0; i < tried; i++) {
      if (this.triedDxHalfPels(i) === 0 && this.triedDyHalfPels(i) === 0) continue;
      const cost = this.#triedCost(i);
      if (cost > floor && cost < minCost) {
        minCost = cost;
        found = i;
      }
    }
    return found;
  }
}
