// Waits until what a macroblock may be predicted from is final, where another thread still reconstructs the anchor.
import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import { type ReconstructedPicture, waitForRows } from '../picture/reconstructed-picture.js';
import type { VectorSearchPlaces, Workspace } from '../picture/workspace.js';

/** What the rows depend on besides the macroblock. */
export interface ReferenceRowsSettings {
  readonly workspace: Workspace;
  readonly places: VectorSearchPlaces;
  readonly reference: ReconstructedPicture;
  /** Vectors proposed for each macroblock. */
  readonly candidates: number;
  readonly neighbours: boolean;
  /** How far refinements may move a vector, at most. */
  readonly halfPels: number;
}

/**
 * The rows of an anchor that the macroblocks of a picture need, in one direction. A vector search begins at candidates
 * that are known before: the zero vector, the predicted one, the proposals and the neighbours' vectors.
 */
export class ReferenceRows {
  readonly #settings: ReferenceRowsSettings;
  /** Rows that are known to be final. */
  #final = 0;

  constructor(settings: ReferenceRowsSettings) {
    this.#settings = settings;
  }

  /** Whether all rows are final. */
  get areFinal(): boolean {
    const { workspace, reference } = this.#settings;
    const { mbHeight } = workspace.grid;
    if (this.#final < mbHeight) this.#final = waitForRows(workspace.memory, reference, 0);
    return this.#final >= mbHeight;
  }

  /**
   * Waits for the rows that macroblock (mbX, mbY) needs; `predictedDyHalfPels` is of its predicted vector. `wasCoded`:
   * the row has been coded before, and vectors that its macroblocks near this one had are tried.
   */
  waitFor(mbX: number, mbY: number, predictedDyHalfPels: number, wasCoded: boolean): void {
    const { workspace, reference, halfPels } = this.#settings;
    const { mbHeight } = workspace.grid;
    if (this.#final >= mbHeight) return;
    const dyHalfPels = Math.max(0, predictedDyHalfPels, this.#greatestCandidate(mbX, mbY, wasCoded)) + halfPels;
    const lastPelRow = (mbY + 1) * MACROBLOCK_SIZE - 1 + ((dyHalfPels + 1) >> 1);
    const needed = Math.min(mbHeight, Math.floor(lastPelRow / MACROBLOCK_SIZE) + 1);
    if (this.#final < needed) this.#final = waitForRows(workspace.memory, reference, needed);
  }

  /** The greatest vertical component of proposals and neighbours' vectors, in half-pels. */
  #greatestCandidate(mbX: number, mbY: number, wasCoded: boolean): number {
    const { workspace, places, candidates, neighbours } = this.#settings;
    const { memory, grid } = workspace;
    const { i16 } = memory;
    const address = mbY * grid.mbWidth + mbX;
    const first = (places.fieldDy >> 1) + address * candidates;
    let greatest = 0;
    for (let i = first; i < first + candidates; i++) greatest = Math.max(greatest, 2 * i16[i]!);
    const chosen = (places.chosenDy >> 1) + address;
    if (wasCoded) {
      const last = Math.min(mbX + 2, grid.mbWidth - 1);
      for (let x = Math.max(0, mbX - 2); x <= last; x++) greatest = Math.max(greatest, i16[chosen + x - mbX]!);
    }
    if (!neighbours) return greatest;
    if (mbX > 0) greatest = Math.max(greatest, i16[chosen - 1]!);
    if (mbY === 0) return greatest;
    const above = chosen - grid.mbWidth;
    greatest = Math.max(greatest, i16[above]!);
    if (mbX > 0) greatest = Math.max(greatest, i16[above - 1]!);
    return mbX + 1 < grid.mbWidth ? Math.max(greatest, i16[above + 1]!) : greatest;
  }
}
