// Searches of one block that descend with ever smaller steps: logarithmic and predictive.
import { SearchJob } from '../../generated/records';
import { block, blockSize, maxDx, minDx, maxDy, minDy, isLegal, match, squared } from './open-block';
import { absoluteFour8, metric } from './metric';
import { penalty } from './penalty';
import { bestDx, bestDy, bound, offer } from './ranking';

// @ts-ignore: decorator
@inline
function attempt(dx: i32, dy: i32): void {
  if (isLegal(dx, dy)) offer(metric(dx, dy) + penalty(dx, dy), dx, dy);
}

/** The match of the nearest legal vector, which can be read. */
// @ts-ignore: decorator
@inline
function legalMatch(dx: i32, dy: i32): usize {
  return match(max(minDx, min(maxDx, dx)), max(minDy, min(maxDy, dy)));
}

// @ts-ignore: decorator
@inline
function offerLegal(value: i32, dx: i32, dy: i32): void {
  if (!isLegal(dx, dy)) return;
  const cost = value + penalty(dx, dy);
  if (cost <= bound) offer(cost, dx, dy);
}

/** Tries (dx + x0, dy + y0) and three more: side by side if blocks are 8x8 and differences absolute. */
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
    legalMatch(dx + x0, dy + y0),
    legalMatch(dx + x1, dy + y1),
    legalMatch(dx + x2, dy + y2),
    legalMatch(dx + x3, dy + y3),
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

/** Tries an entry of a field of vectors. */
// @ts-ignore: decorator
@inline
function attemptEntry(dx: usize, dy: usize, entry: i32): void {
  const offset = <usize>entry << 1;
  attempt(<i32>load<i16>(dx + offset), <i32>load<i16>(dy + offset));
}

/** Tries the best vector of a block that was searched before. */
// @ts-ignore: decorator
@inline
function attemptBestOf(job: SearchJob, other: i32): void {
  attemptEntry(job.dx, job.dy, other * job.candidates);
}

/**
 * Searches the open block, in a grid of `columns`, from the best of zero, the neighbours' vectors and the kept ones.
 */
export function descendFromNeighbours(job: SearchJob, column: i32, row: i32, columns: i32, step: i32): void {
  attempt(0, 0);
  if (column > 0) attemptBestOf(job, block - 1);
  if (row > 0) {
    attemptBestOf(job, block - columns);
    if (column + 1 < columns) attemptBestOf(job, block - columns + 1);
  }
  const kept = job.kept;
  for (let k = 0; k < kept; k++) attemptEntry(job.keptDx, job.keptDy, block * kept + k);
  settle(step);
}

/** Moves from the best vector so far to the best, first with steps of `step`. */
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
