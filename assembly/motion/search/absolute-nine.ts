// The sums of absolute differences of a 16x16 block for nine vectors side by side.
// |a - b| is twice what a exceeds b by, plus b, less a: the excess takes two operations fewer than the difference, and
// matches of one column share most of their rows, so that these are added up once.
import { addPels } from '../../lanes';
import { scratch } from '../../scratch';
import { sumsOfThree } from './metric';
import { currentBlock, match, stride } from './open-block';

/** `sum` plus what 16 unsigned bytes `a` exceed `b` by. */
// @ts-ignore: decorator
@inline
function addExcess(sum: v128, a: v128, b: v128): v128 {
  return addPels(sum, v128.sub_sat<u8>(a, b));
}

/** The pels of each match less those of the block, u16: for dx - 1, dx and dx + 1 at dy - 1, then at dy and dy + 1. */
const surpluses: usize = scratch(9 * 16);

/** Stores the surpluses of the three matches of a column, whose first is at `at`. `block`: the block's pels. */
// @ts-ignore: decorator
@inline
function sumMatches(column: usize, at: usize, step: usize, block: v128): void {
  const zero = i16x8.splat(0);
  const row0 = addPels(zero, v128.load(at));
  at += step;
  const row1 = addPels(zero, v128.load(at));
  let shared = i16x8.sub(zero, block);
  for (let row = 2; row < 16; row++) {
    at += step;
    shared = addPels(shared, v128.load(at));
  }
  at += step;
  const row16 = addPels(zero, v128.load(at));
  at += step;
  const row17 = addPels(zero, v128.load(at));
  v128.store(surpluses + column, i16x8.add(shared, i16x8.add(row0, row1)));
  v128.store(surpluses + column, i16x8.add(shared, i16x8.add(row1, row16)), 48);
  v128.store(surpluses + column, i16x8.add(shared, i16x8.add(row16, row17)), 96);
}

/** Stores three sums of absolute differences in row 0, 1 or 2, from what the block exceeds the matches by. */
// @ts-ignore: decorator
@inline
function storeThree(sums: usize, row: usize, s0: v128, s1: v128, s2: v128): void {
  const at = surpluses + row * 48;
  const d0 = i16x8.add(i16x8.add(s0, s0), v128.load(at));
  const d1 = i16x8.add(i16x8.add(s1, s1), v128.load(at, 16));
  const d2 = i16x8.add(i16x8.add(s2, s2), v128.load(at, 32));
  v128.store(sums + row * 16, sumsOfThree(d0, d1, d2));
}

/**
 * The sums of absolute differences of the open block, 16x16, for a vector and its eight neighbours. At `sums` lie four
 * i32 for each of dy - 1, dy and dy + 1: those of dx - 1, dx and dx + 1, and one that is undefined. A row of the
 * reference is read once for all nine.
 */
export function absoluteNine(dx: i32, dy: i32, sums: usize): void {
  const step = <usize>stride;
  let a = currentBlock;
  let b = match(dx - 1, dy - 1);
  const zero = i16x8.splat(0);
  let block = zero;
  for (let row: usize = 0; row < 16; row++) block = addPels(block, v128.load(a + row * step));
  sumMatches(0, b, step, block);
  sumMatches(16, b + 1, step, block);
  sumMatches(32, b + 2, step, block);
  // The rows of the block that a row of the reference is compared with, for dy - 1, dy and dy + 1.
  let above = v128.load(a);
  let pels = v128.load(b);
  let a0 = addExcess(zero, above, pels);
  pels = v128.load(b, 1);
  let a1 = addExcess(zero, above, pels);
  pels = v128.load(b, 2);
  let a2 = addExcess(zero, above, pels);
  let level = above;
  a += step;
  b += step;
  above = v128.load(a);
  pels = v128.load(b);
  a0 = addExcess(a0, above, pels);
  let b0 = addExcess(zero, level, pels);
  pels = v128.load(b, 1);
  a1 = addExcess(a1, above, pels);
  let b1 = addExcess(zero, level, pels);
  pels = v128.load(b, 2);
  a2 = addExcess(a2, above, pels);
  let b2 = addExcess(zero, level, pels);
  let c0 = zero;
  let c1 = zero;
  let c2 = zero;
  let below = level;
  level = above;
  for (let row = 2; row < 16; row++) {
    a += step;
    b += step;
    above = v128.load(a);
    pels = v128.load(b);
    a0 = addExcess(a0, above, pels);
    b0 = addExcess(b0, level, pels);
    c0 = addExcess(c0, below, pels);
    pels = v128.load(b, 1);
    a1 = addExcess(a1, above, pels);
    b1 = addExcess(b1, level, pels);
    c1 = addExcess(c1, below, pels);
    pels = v128.load(b, 2);
    a2 = addExcess(a2, above, pels);
    b2 = addExcess(b2, level, pels);
    c2 = addExcess(c2, below, pels);
    below = level;
    level = above;
  }
  b += step;
  pels = v128.load(b);
  b0 = addExcess(b0, level, pels);
  c0 = addExcess(c0, below, pels);
  pels = v128.load(b, 1);
  b1 = addExcess(b1, level, pels);
  c1 = addExcess(c1, below, pels);
  pels = v128.load(b, 2);
  b2 = addExcess(b2, level, pels);
  c2 = addExcess(c2, below, pels);
  b += step;
  c0 = addExcess(c0, level, v128.load(b));
  c1 = addExcess(c1, level, v128.load(b, 1));
  c2 = addExcess(c2, level, v128.load(b, 2));
  storeThree(sums, 0, a0, a1, a2);
  storeThree(sums, 1, b0, b1, b2);
  storeThree(sums, 2, c0, c1, c2);
}
