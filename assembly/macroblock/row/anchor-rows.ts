// Waits until what a macroblock may be predicted from is final; see src/macroblock/row.
import { AnchorRows, CandidateSearch } from '../../generated/records';
import { MACROBLOCK_SIZE, NEIGHBOUR_REACH } from '../../generated/tables';

export function waitForAnchor(
  rows: AnchorRows,
  search: CandidateSearch,
  mbX: i32,
  mbY: i32,
  mbHeight: i32,
  predictedDyHalfPels: i32,
  wasCoded: bool,
): void {
  if (rows.knownRows >= mbHeight) return;
  const greatest = greatestCandidate(rows, search, mbX, mbY, wasCoded);
  const dyHalfPels = max(0, max(predictedDyHalfPels, greatest)) + rows.furthestHalfPels;
  const lastPelRow = (mbY + 1) * MACROBLOCK_SIZE - 1 + ((dyHalfPels + 1) >> 1);
  const count = min(mbHeight, lastPelRow / MACROBLOCK_SIZE + 1);
  rows.neededRows = max(rows.neededRows, count);
  if (rows.knownRows < count) rows.knownRows = waitForRows(rows.finalRows, count);
}

function waitForRows(finalRows: usize, count: i32): i32 {
  let known = atomic.load<i32>(finalRows);
  while (known < count) {
    atomic.wait<i32>(finalRows, known, -1);
    known = atomic.load<i32>(finalRows);
  }
  return known;
}

function greatestCandidate(rows: AnchorRows, search: CandidateSearch, mbX: i32, mbY: i32, wasCoded: bool): i32 {
  const candidates = search.candidates;
  const mbWidth = search.mbWidth;
  const address = mbY * mbWidth + mbX;
  const proposed = search.fieldDy + (<usize>(address * candidates) << 1);
  let greatest = 0;
  for (let i = 0; i < candidates; i++) greatest = max(greatest, 2 * <i32>load<i16>(proposed + (<usize>i << 1)));
  const chosen = search.chosenDy + (<usize>address << 1);
  if (wasCoded) greatest = max(greatest, greatestOf(chosen, mbX, mbWidth, -NEIGHBOUR_REACH, NEIGHBOUR_REACH));
  if (rows.usesNeighbours == 0) return greatest;
  greatest = max(greatest, greatestOf(chosen, mbX, mbWidth, -1, -1));
  if (mbY == 0) return greatest;
  return max(greatest, greatestOf(chosen - (<usize>mbWidth << 1), mbX, mbWidth, -1, 1));
}

/** The greatest of the columns around column `mbX`, which lies at `at`; 0 at least. */
// @ts-ignore: decorator
@inline
function greatestOf(at: usize, mbX: i32, mbWidth: i32, from: i32, to: i32): i32 {
  let greatest = 0;
  const last = min(to, mbWidth - 1 - mbX);
  for (let x = max(-mbX, from); x <= last; x++) greatest = max(greatest, <i32>load<i16>(at + (x << 1)));
  return greatest;
}
