// The exhaustive search of one block with exact elimination; see SearchKernels.searchByElimination.
import { SearchJob } from '../../generated/records';
import { absoluteDifference16, splats16, splats4, splats8, sumsOfCurrent } from './block-sums';
import { absoluteEight, minimaOfHalf, prepareEight, spreadMetrics, squaresEight } from './eight-vectors';
import { exhaust, lanesWithin16, lanesWithin32, minDistance, offerLanes } from './exhaustive';
import { exhaustSmall } from './small-blocks';
import { block, blockSize, blockX, blockY, maxDx, minDx, maxDy, minDy, isLegal, squared, stride } from './open-block';
import { metric } from './metric';
import { hasPenalties, penalty, penaltyBoundY } from './penalty';
import { bestDx, bestDy, bound, entryLimit, offer } from './ranking';
import { scratch } from '../../scratch';

/** More than any metric, so that a limit may be multiplied by 64. */
const NO_LIMIT = 1 << 24;
/** From this number of vectors on, comparing eight at once is faster than one after another. */
const EIGHT_AT_ONCE = 4;

// @ts-ignore: decorator
@inline
function attempt(dx: i32, dy: i32): void {
  if (isLegal(dx, dy)) offer(metric(dx, dy) + penalty(dx, dy), dx, dy);
}

/** Tries the best vector of a block that was searched before, unless it is the best here already. */
function attemptBestOf(job: SearchJob, other: i32): void {
  const entry: usize = (other * job.candidates) << 1;
  const dx = load<i16>(job.dx + entry);
  const dy = load<i16>(job.dy + entry);
  if (dx != bestDx() || dy != bestDy()) attempt(dx, dy);
}

/**
 * Enters good vectors into the ranking first: zero, the neighbours' vectors, then downhill from the best of them. The
 * better the ranking, the more vectors the bounds rule out. It cannot change the answer.
 */
function plantSeeds(job: SearchJob): void {
  const columns = stride / blockSize;
  attempt(0, 0);
  if (blockX > 0) attemptBestOf(job, block - 1);
  if (blockY > 0) {
    attemptBestOf(job, block - columns);
    if (blockX + blockSize < stride) attemptBestOf(job, block - columns + 1);
  }
  for (let step = 0; step < 16; step++) {
    const dx = bestDx();
    const dy = bestDy();
    attempt(dx, dy - 1);
    attempt(dx - 1, dy);
    attempt(dx + 1, dy);
    attempt(dx, dy + 1);
    if (bestDx() == dx && bestDy() == dy) break;
  }
  if (job.candidates == 1) return;
  const dx = bestDx();
  const dy = bestDy();
  for (let y = dy - 1; y <= dy + 1; y += 2) {
    attempt(dx - 1, y);
    attempt(dx + 1, y);
  }
}

/** Adds the minima of eight block sums at `at` and a splat of the current block's. */
// @ts-ignore: decorator
@inline
function addMinima(sum: v128, at: usize, splat: usize): v128 {
  return i16x8.add(sum, i16x8.min_u(v128.load(at), v128.load(splat)));
}

/** The same over two blocks side by side, `size` pels apart. */
// @ts-ignore: decorator
@inline
function addTwoMinima(sum: v128, at: usize, size: i32, splat: usize): v128 {
  return addMinima(addMinima(sum, at, splat), at + (<usize>size << 1), splat + 16);
}

/** The same over a row of four 4x4 blocks. */
// @ts-ignore: decorator
@inline
function addFourMinima(sum: v128, at: usize, splat: usize): v128 {
  return addTwoMinima(addTwoMinima(sum, at, 4, splat), at + 16, 4, splat + 32);
}

let squaresLow: v128 = i32x4.splat(0);
let squaresHigh: v128 = i32x4.splat(0);

/** Adds (S - s)^2 of two blocks side by side to eight running sums. */
// @ts-ignore: decorator
@inline
function addTwoSquares(at: usize, size: i32, splat: usize): void {
  const a = i16x8.sub(v128.load(at), v128.load(splat));
  const b = i16x8.sub(v128.load(at + (<usize>size << 1)), v128.load(splat + 16));
  const low = v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  const high = v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  squaresLow = i32x4.add(squaresLow, i32x4.dot_i16x8_s(low, low));
  squaresHigh = i32x4.add(squaresHigh, i32x4.dot_i16x8_s(high, high));
}

/**
 * Bits of those vectors whose bound by the sums of the block's parts is at most `limit`: `across * across` parts of
 * `size` pels. The bound is sum |S - s|, or sum (S - s)^2 / size^2; the metric of the pels is never smaller. The first
 * needs only the minima, because |S - s| = S + s - 2 min(S, s); `both` holds the sums of the two whole blocks, S + s.
 */
// @ts-ignore: decorator
@inline
function lanesByParts(at: usize, size: i32, across: i32, splats: usize, both: v128, dx: i32, limit: i32): i32 {
  const down = <usize>((stride * size) << 1);
  if (squared) {
    squaresLow = i32x4.splat(0);
    squaresHigh = squaresLow;
    for (let j = 0; j < across; j++) {
      addTwoSquares(at, size, splats);
      if (across == 4) addTwoSquares(at + (<usize>size << 2), size, splats + 32);
      at += down;
      splats += <usize>across << 4;
    }
    const scale = size == 8 ? 6 : 4;
    return lanesWithin32(squaresLow, squaresHigh, dx, min(limit, NO_LIMIT) << scale, scale);
  }
  let minima = i16x8.splat(0);
  if (across == 4) {
    minima = addFourMinima(minima, at, splats);
    minima = addFourMinima(minima, at + down, splats + 64);
    minima = addFourMinima(minima, at + 2 * down, splats + 128);
    minima = addFourMinima(minima, at + 3 * down, splats + 192);
  } else {
    minima = addTwoMinima(minima, at, size, splats);
    minima = addTwoMinima(minima, at + down, size, splats + 32);
  }
  return lanesWithin16(i16x8.sub(both, i16x8.shl(minima, 1)), dx, limit);
}

/** The same by the sums of whole blocks. For squared errors the horizontal penalty is left out. */
// @ts-ignore: decorator
@inline
function lanesByWhole(sums: v128, current: v128, dx: i32, limit: i32): i32 {
  const bound = absoluteDifference16(sums, current);
  if (!squared) return lanesWithin16(bound, dx, limit);
  const root = <i32>Math.sqrt(<f64>min(limit, NO_LIMIT) * <f64>(blockSize * blockSize));
  return i16x8.bitmask(i16x8.le_u(bound, i16x8.splat(<i16>min(root, 65535))));
}

/**
 * Tries the vectors of `lanes`, eight 16x16 blocks at once. First compares the upper halves in full and the lower
 * halves by the sums of their 4x4 parts: this rules out most of the vectors that reach this step.
 */
// @ts-ignore: decorator
@inline
function attemptHalves(lanes: i32, dx: i32, dy: i32, at: usize): void {
  const lower4 = parts4 + at + <usize>(stride << 4);
  const sums = v128.load(whole + at);
  const upper = minimaOfHalf(dx, dy, false);
  const lower = addFourMinima(
    addFourMinima(i16x8.splat(0), lower4, splats4 + 128),
    lower4 + <usize>(stride << 3),
    splats4 + 192,
  );
  const both = i16x8.add(sums, v128.load(splats16));
  const bound = i16x8.sub(both, i16x8.shl(i16x8.add(upper, lower), 1));
  const limit = limitOf(dx, dy);
  if (limit < 0 || (lanes & lanesWithin16(bound, dx, limit)) == 0) return;
  const minima = i16x8.add(upper, minimaOfHalf(dx, dy, true));
  spreadMetrics(i16x8.sub(both, i16x8.shl(minima, 1)));
  offerLanes(lanes, dx, dy);
}

/** Tries the vectors of `lanes`: one by one, or all eight at once if that is less work. */
// @ts-ignore: decorator
@inline
function attemptLanes(lanes: i32, dx: i32, dy: i32): void {
  if (popcnt(lanes) >= EIGHT_AT_ONCE) {
    const at = <usize>((dy * stride + dx) << 1);
    if (blockSize == 16 && !squared) return attemptHalves(lanes, dx, dy, at);
    if (squared) squaresEight(dx, dy);
    else spreadMetrics(absoluteEight(dx, dy, whole + at));
    offerLanes(lanes, dx, dy);
    return;
  }
  while (lanes != 0) {
    const x = dx + ctz(lanes);
    lanes &= lanes - 1;
    offer(metric(x, dy) + penalty(x, dy), x, dy);
  }
}

/**
 * The list of groups of eight vectors that are not ruled out: dx and dy of the first vector, and a bit for each. Each
 * stage walks over the list and keeps what it cannot rule out. It does so without a branch, which would be
 * mispredicted half the time.
 */
const GROUP_BYTES: usize = 16;
/** The list is searched when it has so many groups: early, because what is found tightens the bound for the others. */
const ENOUGH_GROUPS: usize = 64;
/** A row of vectors is at most 8191 long, 1024 groups. */
const groups: usize = scratch((64 + 1024 + 1) * 16);
let groupsEnd: usize = groups;

/**
 * Block sums of the reference at the block's own place: of whole blocks and of parts; splat of the current block's
 * sum.
 */
let whole: usize = 0;
let wholeSplat: usize = 0;
let parts8: usize = 0;
let parts4: usize = 0;

/** Largest metric plus horizontal penalty that may enter the ranking, for the eight vectors from (dx, dy). */
// @ts-ignore: decorator
@inline
function limitOf(dx: i32, dy: i32): i32 {
  return entryLimit(minDistance(dx, 8) + abs(dy)) - penaltyBoundY(dy);
}

/**
 * Lists the groups of one row of vectors that the sums of whole blocks do not rule out, by absolute differences
 * without penalties. Vectors that would only tie may stay in the list.
 */
// @ts-ignore: decorator
@inline
function listPlainRow(dy: i32): void {
  const limit = i16x8.splat(<i16>min(bound, 65535));
  const current = v128.load(wholeSplat);
  let end = groupsEnd;
  let at = whole + <usize>((dy * stride + minDx) << 1);
  let dx = minDx;
  for (; dx + 7 <= maxDx; dx += 8) {
    const lanes = i16x8.bitmask(i16x8.le_u(absoluteDifference16(v128.load(at), current), limit));
    at += 16;
    store<i32>(end, dx);
    store<i32>(end, dy, 4);
    store<i32>(end, lanes, 8);
    end += select<usize>(GROUP_BYTES, 0, lanes != 0);
  }
  if (dx <= maxDx) {
    const lanes = i16x8.bitmask(i16x8.le_u(absoluteDifference16(v128.load(at), current), limit));
    const legal = lanes & (0xff >> (dx + 7 - maxDx));
    store<i32>(end, dx);
    store<i32>(end, dy, 4);
    store<i32>(end, legal, 8);
    end += select<usize>(GROUP_BYTES, 0, legal != 0);
  }
  groupsEnd = end;
}

/** The same for any metric and penalties. */
// @ts-ignore: decorator
@inline
function listRow(dy: i32): void {
  const row = whole + <usize>((dy * stride) << 1);
  const current = v128.load(wholeSplat);
  let end = groupsEnd;
  for (let dx = minDx; dx <= maxDx; dx += 8) {
    const limit = limitOf(dx, dy);
    const legal = 0xff >> max(0, dx + 7 - maxDx);
    const lanes = lanesByWhole(v128.load(row + <usize>(dx << 1)), current, dx, max(limit, 0)) & legal & ~(limit >> 31);
    store<i32>(end, dx);
    store<i32>(end, dy, 4);
    store<i32>(end, lanes, 8);
    end += select<usize>(GROUP_BYTES, 0, lanes != 0);
  }
  groupsEnd = end;
}

/** Keeps the listed groups that the sums of their parts do not rule out. */
// @ts-ignore: decorator
@inline
function sift(parts: usize, size: i32, across: i32, splats: usize): void {
  const current = v128.load(wholeSplat);
  let end = groups;
  for (let group = groups; group < groupsEnd; group += GROUP_BYTES) {
    const dx = load<i32>(group);
    const dy = load<i32>(group, 4);
    const at = <usize>((dy * stride + dx) << 1);
    const limit = limitOf(dx, dy);
    const both = i16x8.add(v128.load(whole + at), current);
    const within = lanesByParts(parts + at, size, across, splats, both, dx, max(limit, 0));
    const lanes = load<i32>(group, 8) & within & ~(limit >> 31);
    store<i32>(end, dx);
    store<i32>(end, dy, 4);
    store<i32>(end, lanes, 8);
    end += select<usize>(GROUP_BYTES, 0, lanes != 0);
  }
  groupsEnd = end;
}

/** Searches the listed groups, by finer and finer bounds and then by the pels, and empties the list. */
function workOff(): void {
  if (blockSize == 16) {
    sift(parts8, 8, 2, splats8);
    sift(parts4, 4, 4, splats4);
  } else if (blockSize == 8) {
    sift(parts4, 4, 2, splats4);
  }
  for (let group = groups; group < groupsEnd; group += GROUP_BYTES) {
    attemptLanes(load<i32>(group, 8), load<i32>(group), load<i32>(group, 4));
  }
  groupsEnd = groups;
}

function searchRow(dy: i32): void {
  if (squared || hasPenalties) listRow(dy);
  else listPlainRow(dy);
  if (groupsEnd - groups >= ENOUGH_GROUPS * GROUP_BYTES) workOff();
}

/**
 * Searches the open block, row by row outward from the best seed. For small blocks bounds would cost more than they
 * save.
 */
export function eliminate(job: SearchJob): void {
  if (blockSize < 8) {
    if (squared) exhaust(job);
    else exhaustSmall(job);
    return;
  }
  const place = <usize>((blockY * stride + blockX) << 1);
  parts4 = job.sums4 + place;
  parts8 = job.sums8 + place;
  whole = blockSize == 16 ? job.sums16 + place : blockSize == 8 ? parts8 : parts4;
  wholeSplat = blockSize == 16 ? splats16 : blockSize == 8 ? splats8 : splats4;
  sumsOfCurrent();
  prepareEight();
  plantSeeds(job);
  let up = bestDy();
  let down = up + 1;
  while (up >= minDy || down <= maxDy) {
    if (up >= minDy) searchRow(up--);
    if (down <= maxDy) searchRow(down++);
  }
  workOff();
}
