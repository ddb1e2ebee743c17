// Searches of one block that descend with ever smaller steps: logarithmic and predictive.
import { SearchJob } from '../../generated/records';
import { MAX_CANDIDATES, NEIGHBOURS } from '../../generated/tables';
import { scratch } from '../../scratch';
import { block, blockSize, columns, maxDx, minDx, maxDy, minDy, isLegal, match, squared, stride } from './open-block';
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

/** Metrics of four vectors side by side. */
const four: usize = scratch(16);

/**
 * The sums of absolute differences for four neighbours of a vector, `step` pels away in the directions that the table
 * at `directions` gives. Where a neighbour is not legal, that of the nearest legal vector.
 */
// @ts-ignore: decorator
@inline
function absoluteFourAround(dx: i32, dy: i32, step: i32, directions: usize): v128 {
  if (dx - step >= minDx && dx + step <= maxDx && dy - step >= minDy && dy + step <= maxDy) {
    const centre = match(dx, dy);
    const rows = step * stride;
    if (directions == NEIGHBOURS) return absoluteFour8(centre - rows, centre - step, centre + step, centre + rows);
    return absoluteFour8(centre - rows - step, centre - rows + step, centre + rows - step, centre + rows + step);
  }
  return absoluteFour8(
    legalMatch(dx + step * <i32>load<i8>(directions), dy + step * <i32>load<i8>(directions, 1)),
    legalMatch(dx + step * <i32>load<i8>(directions, 2), dy + step * <i32>load<i8>(directions, 3)),
    legalMatch(dx + step * <i32>load<i8>(directions, 4), dy + step * <i32>load<i8>(directions, 5)),
    legalMatch(dx + step * <i32>load<i8>(directions, 6), dy + step * <i32>load<i8>(directions, 7)),
  );
}

/**
 * Tries four neighbours of a vector, `step` pels away in the directions that the table at `directions` gives: side by
 * side if blocks are 8x8 and differences absolute.
 */
function attemptFour(dx: i32, dy: i32, step: i32, directions: usize): void {
  let lanes = 15;
  const together = blockSize == 8 && !squared;
  if (together) {
    const values = absoluteFourAround(dx, dy, step, directions);
    lanes = i32x4.bitmask(i32x4.le_s(values, i32x4.splat(bound)));
    v128.store(four, values);
  }
  for (; lanes != 0; lanes &= lanes - 1) {
    const lane = <usize>ctz(lanes);
    const x = dx + step * <i32>load<i8>(directions + 2 * lane);
    const y = dy + step * <i32>load<i8>(directions + 2 * lane, 1);
    if (!together) attempt(x, y);
    else if (isLegal(x, y)) offer(load<i32>(four + (lane << 2)) + penalty(x, y), x, y);
  }
}

/** Searches the open block from zero, first with steps of `step`. */
export function descend(step: i32): void {
  attempt(0, 0);
  settle(step);
}

/** The vectors that the search of a block starts from: zero, those of three neighbours, MAX_CANDIDATES kept ones. */
const starts: usize = scratch((4 + MAX_CANDIDATES) * 4);
let startCount: i32 = 0;

/** Tries an entry of a field of vectors as a start, unless it was tried. */
// @ts-ignore: decorator
@inline
function attemptEntry(components: usize, otherComponents: usize, entry: i32): void {
  const offset = <usize>entry << 1;
  const dx = <i32>load<i16>(components + offset);
  const dy = <i32>load<i16>(otherComponents + offset);
  const vector = (dx & 0xffff) | (dy << 16);
  const end = starts + (<usize>startCount << 2);
  for (let at = starts; at < end; at += 4) if (load<i32>(at) == vector) return;
  store<i32>(end, vector);
  startCount++;
  attempt(dx, dy);
}

/** Tries the best vector of a block that was searched before. */
// @ts-ignore: decorator
@inline
function attemptBestOf(job: SearchJob, other: i32): void {
  attemptEntry(job.dx, job.dy, other * job.candidates);
}

/**
 * Searches the open block, at `column`, `row` of the grid, from the best of zero, the neighbours' vectors and the kept
 * ones.
 */
export function descendFromNeighbours(job: SearchJob, column: i32, row: i32, step: i32): void {
  attempt(0, 0);
  store<i32>(starts, 0);
  startCount = 1;
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
    attemptFour(dx, dy, step, NEIGHBOURS);
    if (step == 1) {
      attemptFour(dx, dy, 1, NEIGHBOURS + 8);
      return;
    }
    if (bestDx() == dx && bestDy() == dy) step >>= 1;
  }
}
