// Searches of one block that descend with ever smaller steps: logarithmic and predictive.
import { SearchJob } from '../../generated/records';
import { MAX_CANDIDATES, NEIGHBOURS } from '../../generated/tables';
import { scratch } from '../../scratch';
import { block, blockSize, columns, maxDx, minDx, maxDy, minDy, isLegal, match, squared, stride } from './open-block';
import { absoluteFour8, metric } from './metric';
import { penalty, penaltiesAcross, penaltiesAlong } from './penalty';
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

/** Costs or metrics of four vectors side by side. */
const four: usize = scratch(16);

/** Whether all vectors up to `step` pels away from one are legal. */
// @ts-ignore: decorator
@inline
function isInside(dx: i32, dy: i32, step: i32): bool {
  return dx - step >= minDx && dx + step <= maxDx && dy - step >= minDy && dy + step <= maxDy;
}

/** The component of a neighbour of a vector, in the direction at `directions`. */
// @ts-ignore: decorator
@inline
function moved(component: i32, step: i32, directions: usize): i32 {
  return component + step * <i32>load<i8>(directions);
}

/** What `attemptFour` compares: sums of absolute differences. Where a vector is not legal, that of the nearest one. */
function absoluteFourLegal(dx: i32, dy: i32, step: i32, directions: usize): v128 {
  return absoluteFour8(
    legalMatch(moved(dx, step, directions), moved(dy, step, directions + 1)),
    legalMatch(moved(dx, step, directions + 2), moved(dy, step, directions + 3)),
    legalMatch(moved(dx, step, directions + 4), moved(dy, step, directions + 5)),
    legalMatch(moved(dx, step, directions + 6), moved(dy, step, directions + 7)),
  );
}

/** The costs of the vectors that `attemptFour` tries, where all are legal. */
// @ts-ignore: decorator
@inline
function costsOfFour(dx: i32, dy: i32, step: i32, directions: usize): v128 {
  const centre = match(dx, dy);
  const rows = step * stride;
  if (directions == NEIGHBOURS) {
    const values = absoluteFour8(centre - rows, centre - step, centre + step, centre + rows);
    return i32x4.add(values, penaltiesAlong(dx, dy, step));
  }
  const above = centre - rows;
  const below = centre + rows;
  const values = absoluteFour8(above - step, above + step, below - step, below + step);
  return i32x4.add(values, penaltiesAcross(dx, dy, step));
}

/**
 * Tries four neighbours of a vector, `step` pels away in the directions that the table at `directions` gives: side by
 * side if blocks are 8x8 and differences absolute.
 */
function attemptFour(dx: i32, dy: i32, step: i32, directions: usize): void {
  if (blockSize != 8 || squared) {
    for (let i: usize = 0; i < 8; i += 2) {
      attempt(moved(dx, step, directions + i), moved(dy, step, directions + i + 1));
    }
    return;
  }
  const inside = isInside(dx, dy, step);
  const values = inside ? costsOfFour(dx, dy, step, directions) : absoluteFourLegal(dx, dy, step, directions);
  let lanes = i32x4.bitmask(i32x4.le_s(values, i32x4.splat(bound)));
  if (lanes == 0) return;
  v128.store(four, values);
  for (; lanes != 0; lanes &= lanes - 1) {
    const lane = <usize>ctz(lanes);
    const x = moved(dx, step, directions + 2 * lane);
    const y = moved(dy, step, directions + 2 * lane + 1);
    const value = load<i32>(four + (lane << 2));
    if (inside) offer(value, x, y);
    else if (isLegal(x, y)) offer(value + penalty(x, y), x, y);
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

/** Adds an entry of a field of vectors to the starts, if it is legal and not there yet. */
// @ts-ignore: decorator
@inline
function addEntry(components: usize, otherComponents: usize, entry: i32): void {
  const offset = <usize>entry << 1;
  const dx = <i32>load<i16>(components + offset);
  const dy = <i32>load<i16>(otherComponents + offset);
  if (!isLegal(dx, dy)) return;
  const vector = (dx & 0xffff) | (dy << 16);
  const end = starts + (<usize>startCount << 2);
  for (let at = starts; at < end; at += 4) if (load<i32>(at) == vector) return;
  store<i32>(end, vector);
  startCount++;
}

/** Adds the best vector of a block that was searched before. */
// @ts-ignore: decorator
@inline
function addBestOf(job: SearchJob, other: i32): void {
  addEntry(job.dx, job.dy, other * job.candidates);
}

/** The components of a start. */
// @ts-ignore: decorator
@inline
function startDx(start: i32): i32 {
  return <i32>load<i16>(starts + (<usize>start << 2));
}
// @ts-ignore: decorator
@inline
function startDy(start: i32): i32 {
  return <i32>load<i16>(starts + (<usize>start << 2), 2);
}

/** The match of a start, or of the last one. */
// @ts-ignore: decorator
@inline
function matchOfStart(start: i32): usize {
  const known = min(start, startCount - 1);
  return match(startDx(known), startDy(known));
}

/** Tries all starts: four side by side if more than two are left, blocks are 8x8 and differences absolute. */
// @ts-ignore: decorator
@inline
function attemptStarts(): void {
  let start = 0;
  if (blockSize == 8 && !squared) {
    for (; start + 2 < startCount; start += 4) {
      const values = absoluteFour8(
        matchOfStart(start),
        matchOfStart(start + 1),
        matchOfStart(start + 2),
        matchOfStart(start + 3),
      );
      v128.store(four, values);
      for (let i = 0; i < min(4, startCount - start); i++) {
        const dx = startDx(start + i);
        const dy = startDy(start + i);
        offer(load<i32>(four + (<usize>i << 2)) + penalty(dx, dy), dx, dy);
      }
    }
  }
  for (; start < startCount; start++) attempt(startDx(start), startDy(start));
}

/**
 * Searches the open block, at `column`, `row` of the grid, from the best of zero, the neighbours' vectors and the kept
 * ones.
 */
export function descendFromNeighbours(job: SearchJob, column: i32, row: i32, step: i32): void {
  store<i32>(starts, 0);
  startCount = 1;
  if (column > 0) addBestOf(job, block - 1);
  if (row > 0) {
    addBestOf(job, block - columns);
    if (column + 1 < columns) addBestOf(job, block - columns + 1);
  }
  const kept = job.kept;
  for (let k = 0; k < kept; k++) addEntry(job.keptDx, job.keptDy, block * kept + k);
  attemptStarts();
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
