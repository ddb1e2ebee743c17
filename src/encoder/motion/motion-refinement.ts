import { InputError } from '../../errors.js';
import type { Kernels } from '../../kernels/kernels.js';
import { CANDIDATE_SEARCH, type CandidateSearch } from '../../kernels/records/candidate-search.js';
import type { MotionField } from '../../motion/estimator.js';
import type { MacroblockPosition } from '../macroblock/prediction.js';
import { MAX_PROPOSALS, type PlanePointers, type VectorSearchPlaces, type Workspace } from '../picture/workspace.js';
import type { VectorCost } from './vector-cost.js';

/** What stays the same for all macroblocks of a picture. */
export interface RefinementSettings {
  readonly workspace: Workspace;
  /** Where the search of this direction lies, and the vectors chosen so far in the picture. */
  readonly places: VectorSearchPlaces;
  readonly reference: PlanePointers;
  /** What the estimator found, and the lookahead. */
  readonly field: MotionField | undefined;
  readonly vectors: VectorCost;
  /** Whether the vectors of the macroblocks around are compared, too. */
  readonly neighbours: boolean;
  /** Rounds of half-pel refinement. */
  readonly rounds: number;
}

/**
 * Finds the vectors of macroblocks on the *reconstructed* reference: proposals are compared there, the bits of their
 * difference from the predicted vector in the cost; then the half-pel neighbours of the best. See CandidateKernels.
 */
export class MotionRefinement {
  /** The CANDIDATE_SEARCH in kernel memory. */
  readonly search: CandidateSearch;
  readonly #kernels: Kernels;

  constructor({ workspace, places, reference, field, vectors, neighbours, rounds }: RefinementSettings) {
    const { memory, grid, kernels, source } = workspace;
    this.search = CANDIDATE_SEARCH.at(memory, places.search);
    this.#kernels = kernels;
    const settings: Partial<CandidateSearch> = {
      source: source.record,
      reference: reference.record,
      differenceBits: places.differenceBits + vectors.origin,
      minHalfPels: vectors.least,
      maxHalfPels: vectors.greatest,
      maxXHalfPels: (grid.codedWidth - 16) * 2,
      maxYHalfPels: (grid.codedHeight - 16) * 2,
      rounds,
      mbWidth: grid.mbWidth,
      candidates: field?.candidatesPerBlock ?? 0,
      fieldDx: places.fieldDx,
      fieldDy: places.fieldDy,
      chosenDx: places.chosenDx,
      chosenDy: places.chosenDy,
      usesNeighbours: neighbours ? 1 : 0,
    };
    Object.assign(this.search, settings);
    memory.u8.set(vectors.differenceBits, places.differenceBits);
    if (!field) return;
    const expected = grid.mbWidth * grid.mbHeight * field.candidatesPerBlock;
    if (field.dx.length !== expected || field.dy.length !== expected || field.candidatesPerBlock > MAX_PROPOSALS) {
      throw new InputError(`an estimator's field has ${field.dx.length} vectors, not ${expected}`);
    }
    memory.i16.set(field.dx, places.fieldDx >> 1);
    memory.i16.set(field.dy, places.fieldDy >> 1);
  }

  /** Finds the vector of a macroblock whose predicted vector is given, in half-pels. `lambda` is that for sums of absolute differences. */
  find({ mbX, mbY }: MacroblockPosition, predictedX: number, predictedY: number, lambda: number): void {
    this.search.lambda = lambda;
    this.#kernels.searchCandidates(this.search.pointer, mbX, mbY, predictedX, predictedY);
  }

  /** The best vector in half-pels; its SAD and its cost (SAD + lambda * bits). */
  get x(): number {
    return this.search.dxHalfPels;
  }
  get y(): number {
    return this.search.dyHalfPels;
  }
  get sad(): number {
    return this.search.sad;
  }
  get cost(): number {
    return this.search.cost;
  }
  /** SAD of the zero vector. */
  get zeroSad(): number {
    return this.search.zeroSad;
  }

  /** A vector that was tried, by its index. */
  triedX(index: number): number {
    return this.search.tried[2 * index]!;
  }
  triedY(index: number): number {
    return this.search.tried[2 * index + 1]!;
  }

  /** Index among the tried vectors of the one `rank` places after the best, the zero vector left out; -1: there is none. */
  nextBest(rank: number): number {
    let floor = this.cost;
    let found = -1;
    for (let i = 0; i < rank; i++) {
      found = this.#leastAbove(floor);
      if (found < 0) return -1;
      floor = this.#triedCost(found);
    }
    return found;
  }

  #triedCost(index: number): number {
    return this.search.triedCosts[index]!;
  }

  #leastAbove(floor: number): number {
    const tried = this.search.triedCount;
    let least = Number.POSITIVE_INFINITY;
    let found = -1;
    for (let i = 0; i < tried; i++) {
      if (this.triedX(i) === 0 && this.triedY(i) === 0) continue;
      const cost = this.#triedCost(i);
      if (cost > floor && cost < least) {
        least = cost;
        found = i;
      }
    }
    return found;
  }
}
