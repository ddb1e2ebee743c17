// The exhaustive search of one small block (4x4, 2x2) by absolute differences.
// A comparison is so cheap there that choosing at once would cost more: a second pass over a buffer chooses.
import { SearchJob } from '../../generated/records';
import { absoluteEightSmall, prepareEight, spreadMetrics } from './eight-vectors';
import { offerLanes } from './exhaustive';
import { blockSize, blockX, blockY, currentBlock, maxDx, minDx, maxDy, minDy, match, stride } from './open-block';
import { metric } from './metric';
import { penalty, penaltyBoundY, penaltyBoundsX } from './penalty';
import { bound, offer } from './ranking';
import { splats4, sumsOfCurrent } from './block-sums';
import { scratch } from '../../scratch';

/** Most groups of eight vectors in the buffer; a range of ±16 by ±8 has 85. */
const MAX_GROUPS: usize = 256;
/** By group: eight metrics, eight costs (u16, at most 65535), dx and dy of the first vector. */
const values: usize = scratch(256 * 16);
const costs: usize = scratch(256 * 16);
const places: usize = scratch(256 * 8);
let groups: usize = 0;

/** The smallest cost in each lane. */
const lowest: usize = scratch(16);

/** Loaded from entry `8 - count` on: all ones in the lanes from `count` on. */
const past: usize = memory.data<u16>(
  [0, 0, 0, 0, 0, 0, 0, 0, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff],
  16,
);

/**
 * A cost that at least `rank` vectors do not exceed: the `rank`th smallest of the costs of eight lanes, counted from 1.
 * Eight lanes say nothing about more vectors than eight; then the ranking so far decides.
 */
function smallest(rank: i32): i32 {
  if (rank > 8) return bound;
  for (let i = 0; i < rank; i++) {
    for (let j = 7; j > i; j--) {
      const a = load<u16>(lowest + (<usize>(j - 1) << 1));
      const b = load<u16>(lowest + (<usize>j << 1));
      store<u16>(lowest + (<usize>(j - 1) << 1), <u16>min(a, b));
      store<u16>(lowest + (<usize>j << 1), <u16>max(a, b));
    }
  }
  return load<u16>(lowest + (<usize>(rank - 1) << 1));
}

/** Offers the vectors that may be among the best `rank` of the buffer, and empties it. */
function choose(rank: i32): void {
  // The costs here may be one too small, because penalties are rounded down twice.
  const limit = i16x8.splat(<i16>min(smallest(rank), 65534) + 1);
  for (let group: usize = 0; group < groups; group++) {
    const lanes = i16x8.bitmask(i16x8.le_u(v128.load(costs + (group << 4)), limit));
    if (lanes == 0) continue;
    const dx = load<i32>(places + (group << 3));
    spreadMetrics(v128.load(values + (group << 4)));
    offerLanes(lanes & (0xff >> max(0, dx + 7 - maxDx)), dx, load<i32>(places + (group << 3), 4));
  }
  groups = 0;
}

let minima: v128 = i16x8.splat(-1);

/** Puts eight metrics into the buffer. */
// @ts-ignore: decorator
@inline
function put(value: v128, dx: i32, dy: i32, penaltyY: v128): void {
  const penalties = i16x8.add_sat_u(v128.load(penaltyBoundsX(dx)), penaltyY);
  const illegal = v128.load(past + (<usize>max(0, dx + 7 - maxDx) << 1));
  const cost = v128.or(i16x8.add_sat_u(value, penalties), illegal);
  v128.store(values + (groups << 4), value);
  v128.store(costs + (groups << 4), cost);
  store<i32>(places + (groups << 3), dx);
  store<i32>(places + (groups << 3), dy, 4);
  minima = i16x8.min_u(minima, cost);
  groups++;
}

/** Adds the minima of a row of four pels, four times over, and of 16 pels; in pairs. */
// @ts-ignore: decorator
@inline
function addMinima(sum: v128, row: v128, b: usize): v128 {
  return i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(i8x16.min_u(row, v128.load(b))));
}

/** Adds the two pair sums of each block: blocks x, x + 4, x + 8, x + 12, i32. */
// @ts-ignore: decorator
@inline
function pairs(sum: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_s(sum);
}

/**
 * Puts the metrics of the 16 vectors from (dx, dy) to the right into the buffer, for 4x4 blocks. A row of 16 pels
 * from x on holds rows of the blocks at x, x + 4, x + 8 and x + 12, so four loads serve 16 blocks. As in
 * absoluteEight, only minima are added up.
 */
function putSixteen(sums: usize, currentSum: v128, dx: i32, dy: i32, penaltyY: v128): void {
  let a = currentBlock;
  let b = match(dx, dy);
  let m0 = i16x8.splat(0);
  let m1 = m0;
  let m2 = m0;
  let m3 = m0;
  for (let j = 0; j < 4; j++) {
    const row = v128.load32_splat(a);
    m0 = addMinima(m0, row, b);
    m1 = addMinima(m1, row, b + 1);
    m2 = addMinima(m2, row, b + 2);
    m3 = addMinima(m3, row, b + 3);
    a += stride;
    b += stride;
  }
  const m01 = v128.or(pairs(m0), i32x4.shl(pairs(m1), 16));
  const m23 = v128.or(pairs(m2), i32x4.shl(pairs(m3), 16));
  const low = i16x8.shl(v128.shuffle<i32>(m01, m23, 0, 4, 1, 5), 1);
  const high = i16x8.shl(v128.shuffle<i32>(m01, m23, 2, 6, 3, 7), 1);
  put(i16x8.sub(i16x8.add(v128.load(sums), currentSum), low), dx, dy, penaltyY);
  put(i16x8.sub(i16x8.add(v128.load(sums, 16), currentSum), high), dx + 8, dy, penaltyY);
}

/** Tries every legal vector of the open block. */
export function exhaustSmall(job: SearchJob): void {
  const rest = (maxDx - minDx + 1) & 15;
  // A range of n to both sides often leaves one column of vectors, too few to be compared side by side.
  const hasColumn = blockSize == 4 && rest == 1;
  if (blockSize != 4 || (rest > 1 && rest <= 8)) prepareEight();
  sumsOfCurrent();
  const currentSum = v128.load(splats4);
  const sums: usize = job.sums4 + <usize>((blockY * stride + blockX) << 1);
  const rank = job.candidates;
  const last = hasColumn ? maxDx - 1 : maxDx;
  minima = i16x8.splat(-1);
  for (let dy = minDy; dy <= maxDy; dy++) {
    const penaltyY = i16x8.splat(<i16>min(penaltyBoundY(dy), 65535));
    let dx = minDx;
    while (dx <= last) {
      if (blockSize == 4 && dx + 8 <= maxDx) {
        putSixteen(sums + <usize>((dy * stride + dx) << 1), currentSum, dx, dy, penaltyY);
        dx += 16;
      } else {
        put(absoluteEightSmall(dx, dy), dx, dy, penaltyY);
        dx += 8;
      }
      if (groups + 1 < MAX_GROUPS) continue;
      v128.store(lowest, minima);
      choose(rank);
      minima = i16x8.splat(-1);
    }
  }
  v128.store(lowest, minima);
  choose(rank);
  if (!hasColumn) return;
  for (let dy = minDy; dy <= maxDy; dy++) {
    const cost = metric(maxDx, dy) + penalty(maxDx, dy);
    if (cost <= bound) offer(cost, maxDx, dy);
  }
}
