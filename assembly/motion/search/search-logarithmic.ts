// Searches of one block that descend with ever smaller steps; see SearchKernels.searchLogarithmically and searchPredictively.
import { CANDIDATES, DX, DY, KEPT, KEPT_DX, KEPT_DY, block, blockSize, dxGreatest, dxLeast, dyGreatest, dyLeast, isLegal, match, squared, word } from './search-job';
import { absoluteFour8, metric } from './search-metric';
import { penalty } from './search-penalty';
import { bestDx, bestDy, bound, offer } from './search-ranking';

// @ts-ignore: decorator
@inline
function attempt(dx: i32, dy: i32): void {
  if (isLegal(dx, dy)) offer(metric(dx, dy) + penalty(dx, dy), dx, dy);
}

/** The match of the nearest legal vector: somewhere that may be read. */
// @ts-ignore: decorator
@inline
function readable(dx: i32, dy: i32): usize {
  return match(max(dxLeast, min(dxGreatest, dx)), max(dyLeast, min(dyGreatest, dy)));
}

// @ts-ignore: decorator
@inline
function offerLegal(value: i32, dx: i32, dy: i32): void {
  if (!isLegal(dx, dy)) return;
  const cost = value + penalty(dx, dy);
  if (cost <= bound) offer(cost, dx, dy);
}

/** Tries (dx + x0, dy + y0) and three more: side by side where blocks are 8x8 and differences absolute. */
// @ts-ignore: decorator
@inline
function attemptFour(dx: i32, dy: i32, x0: i32, y0: i32, x1: i32, y1: i32, x2: i32, y2: i32, x3: i32, y3: i32): void {
  if (blockSize != 8 || squared) {
    attempt(dx + x0, dy + y0);
    attempt(dx + x1, dy + y1);
    attempt(dx + x2, dy + y2);
    attempt(dx + x3, dy + y3);
    return;
  }
  const values = absoluteFour8(
    readable(dx + x0, dy + y0),
    readable(dx + x1, dy + y1),
    readable(dx + x2, dy + y2),
    readable(dx + x3, dy + y3),
  );
  offerLegal(i32x4.extract_lane(values, 0), dx + x0, dy + y0);
  offerLegal(i32x4.extract_lane(values, 1), dx + x1, dy + y1);
  offerLegal(i32x4.extract_lane(values, 2), dx + x2, dy + y2);
  offerLegal(i32x4.extract_lane(values, 3), dx + x3, dy + y3);
}

/** Searches the open block from zero, first with steps of `step`. */
export function descend(step: i32): void {
  attempt(0, 0);
  settle(step);
}

/** Tries a vector of the fields at `dx` and `dy` of the job. */
// @ts-ignore: decorator
@inline
function attemptOf(job: usize, dx: i32, dy: i32, index: i32): void {
  const entry = <usize>index << 1;
  attempt(<i32>load<i16>(<usize>word(job, dx) + entry), <i32>load<i16>(<usize>word(job, dy) + entry));
}

/** Tries the best vector of a block that has been answered. */
// @ts-ignore: decorator
@inline
function attemptVectorOf(job: usize, answered: i32): void {
  attemptOf(job, DX, DY, answered * word(job, CANDIDATES));
}

/** Searches the open block, in a grid of `columns`, from the best of zero, its neighbours' vectors and the kept ones. */
export function descendFromNeighbours(job: usize, column: i32, row: i32, columns: i32, step: i32): void {
  attempt(0, 0);
  if (column > 0) attemptVectorOf(job, block - 1);
  if (row > 0) {
    attemptVectorOf(job, block - columns);
    if (column + 1 < columns) attemptVectorOf(job, block - columns + 1);
  }
  const kept = word(job, KEPT);
  for (let k = 0; k < kept; k++) attemptOf(job, KEPT_DX, KEPT_DY, block * kept + k);
  settle(step);
}

/** Goes on from the best vector so far, first with steps of `step`. */
function settle(step: i32): void {
  while (true) {
    const dx = bestDx();
    const dy = bestDy();
    attemptFour(dx, dy, 0, -step, -step, 0, step, 0, 0, step);
    if (step == 1) {
      attemptFour(dx, dy, -1, -1, 1, -1, -1, 1, 1, 1);
      return;
    }
    if (bestDx() == dx && bestDy() == dy) step >>= 1;
  }
}
