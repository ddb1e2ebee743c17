// Waits until what a macroblock may be predicted from is final, where another thread still reconstructs the anchor.
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { CandidateSearch } from '../../kernels/records/candidate-search.js';
import type { AnchorRows } from '../../kernels/records/row-coding.js';
import { MACROBLOCK_SIZE } from '../../picture/picture.js';

/** In a row that has been coded before, the vectors of so many macroblocks to both sides are tried. */
export const NEIGHBOUR_REACH = 2;

/** What the rows that a macroblock needs of an anchor follow from. */
export interface NeededRows {
  readonly rows: AnchorRows;
  /** The search in the anchor. Its candidates are known before: zero, predicted, proposed, neighbours' vectors. */
  readonly search: CandidateSearch;
  readonly mbX: number;
  readonly mbY: number;
  readonly mbHeight: number;
  /** The vertical component of the predicted vector. */
  readonly predictedDyHalfPels: number;
  /** The row has been coded before, and vectors that its macroblocks near this one had are tried. */
  readonly wasCoded: boolean;
}

/** Waits for the rows that a macroblock needs of an anchor. */
export function waitForAnchor(memory: KernelMemory, needed: NeededRows): void {
  const { rows, mbY, mbHeight, predictedDyHalfPels } = needed;
  if (rows.knownRows >= mbHeight) return;
  const dyHalfPels = Math.max(0, predictedDyHalfPels, greatestCandidate(memory, needed)) + rows.furthestHalfPels;
  const lastPelRow = (mbY + 1) * MACROBLOCK_SIZE - 1 + ((dyHalfPels + 1) >> 1);
  const count = Math.min(mbHeight, Math.floor(lastPelRow / MACROBLOCK_SIZE) + 1);
  rows.neededRows = Math.max(rows.neededRows, count);
  if (rows.knownRows < count) rows.knownRows = waitForRows(memory, rows.finalRows, count);
}

/** How many rows of macroblocks are final; waits, and blocks the thread, until they are at least `count`. */
function waitForRows({ i32 }: KernelMemory, finalRows: number, count: number): number {
  const at = finalRows >> 2;
  let known = Atomics.load(i32, at);
  while (known < count) {
    Atomics.wait(i32, at, known);
    known = Atomics.load(i32, at);
  }
  return known;
}

/** The greatest vertical component of proposals and neighbours' vectors, in half-pels; at least 0. */
function greatestCandidate({ i16 }: KernelMemory, { rows, search, mbX, mbY, wasCoded }: NeededRows): number {
  const { candidates, mbWidth } = search;
  const address = mbY * mbWidth + mbX;
  const proposed = (search.fieldDy >> 1) + address * candidates;
  let greatest = 0;
  for (let i = proposed; i < proposed + candidates; i++) greatest = Math.max(greatest, 2 * i16[i]!);
  const chosen = (search.chosenDy >> 1) + address;
  const takeColumns = (from: number, to: number, row: number) => {
    for (let x = Math.max(0, from); x <= Math.min(to, mbWidth - 1); x++) {
      greatest = Math.max(greatest, i16[row + x - mbX]!);
    }
  };
  if (wasCoded) takeColumns(mbX - NEIGHBOUR_REACH, mbX + NEIGHBOUR_REACH, chosen);
  if (rows.usesNeighbours === 1) {
    takeColumns(mbX - 1, mbX - 1, chosen);
    if (mbY > 0) takeColumns(mbX - 1, mbX + 1, chosen - mbWidth);
  }
  return greatest;
}
