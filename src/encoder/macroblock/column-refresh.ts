// Refreshes a picture column by column: what is refreshed stays clean, whatever lies to the right of it.
import { CANDIDATE_SEARCH, type CandidateSearch } from '../../kernels/records/candidate-search.js';
import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import type { ColumnRange } from '../gop/gop-plan.js';
import type { Workspace } from '../picture/workspace.js';

/**
 * The columns of a picture, of which some are intra. Those to the left have been refreshed since the group began: a
 * decoder that started there knows them. They are predicted from each other alone; an interpolated pel counts as both
 * of its neighbours.
 *
 *     | clean, in the reference, too | intra | not yet clean |
 *     0                            first    end
 */
export class ColumnRefresh {
  readonly #columns: ColumnRange;
  readonly #search: CandidateSearch;
  /** The greatest horizontal position of a prediction, in half-pels: in the picture, and in the clean columns. */
  readonly #maxXHalfPels: number;
  readonly #maxCleanXHalfPels: number;

  /** The forward search of `workspace` must be set up for the picture. */
  constructor({ memory, vectors, grid }: Workspace, columns: ColumnRange) {
    this.#columns = columns;
    this.#search = CANDIDATE_SEARCH.at(memory, vectors.forward.search);
    this.#maxXHalfPels = 2 * (grid.codedWidth - MACROBLOCK_SIZE);
    this.#maxCleanXHalfPels = 2 * MACROBLOCK_SIZE * (columns.first - 1);
  }

  /** Whether the macroblocks of a column must be intra. */
  isDue(mbX: number): boolean {
    return mbX >= this.#columns.first && mbX < this.#columns.end;
  }

  /** To be called before a macroblock of the column is coded, from left to right in each row. */
  limitVectors(mbX: number): void {
    const { first } = this.#columns;
    if (mbX === 0 && first > 0) this.#search.maxXHalfPels = this.#maxCleanXHalfPels;
    if (mbX === first) this.#search.maxXHalfPels = this.#maxXHalfPels;
  }
}
