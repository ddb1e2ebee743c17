// Finds the vector of a macroblock on the reconstructed reference: compares proposals, then refines to half a pel.

import { motionDifferenceBits, motionDifferenceOrigin } from '../../bitstream/tables/motion-vector-codes.js';
import type { Kernels } from '../../kernels/kernels.js';
import { CANDIDATE_SEARCH, type CandidateSearch } from '../../kernels/records/candidate-search.js';
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

/**
 * The vector search of one direction of a picture; see CandidateKernels. Vectors are compared by SAD + lambda * bits.
 */
export class MotionRefinement {
  /** Pointer to the CANDIDATE_SEARCH. */
  readonly pointer: number;
  readonly #search: CandidateSearch;
  readonly #kernels: Kernels;
  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  /** Where the best vector lies: dx, dy, its SAD, that of the zero vector; and where lambda and the cost lie. */
  readonly #best: number;
  readonly #lambda: number;
  readonly #cost: number;

  /** Throws InputError if the estimator's field has the wrong size. */
  constructor({ workspace, places, reference, proposals, range, neighbours, rounds }: RefinementSettings) {
    const { memory, grid, kernels, source } = workspace;
    this.pointer = places.search;
    this.#search = CANDIDATE_SEARCH.at(memory, places.search);
    this.#kernels = kernels;
    this.#i32 = memory.i32;
    this.#f64 = memory.f64;
    this.#best = CANDIDATE_SEARCH.indexOf(places.search, 'dxHalfPels');
    this.#lambda = CANDIDATE_SEARCH.indexOf(places.search, 'lambda');
    this.#cost = CANDIDATE_SEARCH.indexOf(places.search, 'cost');
    const settings: Partial<CandidateSearch> = {
      source: source.record,
      reference: reference.record,
      differenceBits: places.differenceBits + motionDifferenceOrigin(range.fCode),
      minHalfPels: range.minHalfPels,
      maxHalfPels: range.maxHalfPels,
      maxXHalfPels: range.maxXHalfPels,
      maxYHalfPels: range.maxYHalfPels,
      rounds,
      mbWidth: grid.mbWidth,
      candidates: proposalsPerMacroblock(proposals),
      fieldDx: places.fieldDx,
      fieldDy: places.fieldDy,
      chosenDx: places.chosenDx,
      chosenDy: places.chosenDy,
      usesNeighbours: neighbours ? 1 : 0,
    };
    Object.assign(this.#search, settings);
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
    this.#f64[this.#lambda] = lambda;
    this.#kernels.searchCandidates(this.pointer, mbX, mbY, predictedDxHalfPels, predictedDyHalfPels);
  }

  /** The best vector, its SAD and its cost. */
  get dxHalfPels(): number {
    return this.#i32[this.#best]!;
  }
  get dyHalfPels(): number {
    return this.#i32[this.#best + 1]!;
  }
  get sad(): number {
    return this.#i32[this.#best + 2]!;
  }
  get cost(): number {
    return this.#f64[this.#cost]!;
  }
  /** SAD of the zero vector. */
  get zeroSad(): number {
    return this.#i32[this.#best + 3]!;
  }

  /** A vector that was tried, by its index. */
  triedDxHalfPels(index: number): number {
    return this.#search.tried[2 * index]!;
  }
  triedDyHalfPels(index: number): number {
    return this.#search.tried[2 * index + 1]!;
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
    return this.#search.triedCosts[index]!;
  }

  #cheapestAbove(floor: number): number {
    const tried = this.#search.triedCount;
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
