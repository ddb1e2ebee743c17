// The metric of one vector, and of a few vectors at once.
import {
  absoluteDifference,
  addAbsoluteDifferences,
  pairs,
  sumLanes16,
  sumLanes32,
  sumsOfFour,
  twoRowsOf8,
} from '../../lanes';
import { sad16x16 } from '../../picture/block-differences';
import { blockSize, currentBlock, match, squared, stride } from './open-block';

function absolute8(a: usize, b: usize): i32 {
  let sum = i16x8.splat(0);
  for (let j = 0; j < 4; j++) {
    sum = addAbsoluteDifferences(sum, twoRowsOf8(a, stride), twoRowsOf8(b, stride));
    a += 2 * stride;
    b += 2 * stride;
  }
  return sumLanes16(sum);
}

// @ts-ignore: decorator
@inline
function squares8(a: usize, b: usize): v128 {
  const difference = i16x8.sub(v128.load8x8_u(a), v128.load8x8_u(b));
  return i32x4.dot_i16x8_s(difference, difference);
}

function squares(a: usize, b: usize): i32 {
  let sum = i32x4.splat(0);
  for (let j = 0; j < blockSize; j++) {
    sum = i32x4.add(sum, squares8(a, b));
    if (blockSize == 16) sum = i32x4.add(sum, squares8(a + 8, b + 8));
    a += stride;
    b += stride;
  }
  return sumLanes32(sum);
}

/** Four rows of four pels. */
// @ts-ignore: decorator
@inline
function fourRows4(at: usize): v128 {
  const half = v128.load32_lane(at + stride, v128.load32_zero(at), 1);
  return v128.load32_lane(at + 3 * stride, v128.load32_lane(at + 2 * stride, half, 2), 3);
}

function absolute4(a: usize, b: usize): i32 {
  return sumLanes16(i16x8.extadd_pairwise_i8x16_u(absoluteDifference(fourRows4(a), fourRows4(b))));
}

function small(a: usize, b: usize): i32 {
  let sum = 0;
  for (let j = 0; j < blockSize; j++) {
    for (let i = 0; i < blockSize; i++) {
      const difference = <i32>load<u8>(a + i) - <i32>load<u8>(b + i);
      sum += squared ? difference * difference : abs(difference);
    }
    a += stride;
    b += stride;
  }
  return sum;
}

/** The metric of the open block for one vector. */
export function metric(dx: i32, dy: i32): i32 {
  const a = currentBlock;
  const b = match(dx, dy);
  if (blockSize == 4 && !squared) return absolute4(a, b);
  if (blockSize < 8) return small(a, b);
  if (squared) return squares(a, b);
  return blockSize == 16 ? sad16x16(a, stride, b, stride) : absolute8(a, b);
}

/** The sums of absolute differences of the open block, 8x8, at four matches, i32. */
export function absoluteFour8(b0: usize, b1: usize, b2: usize, b3: usize): v128 {
  let a = currentBlock;
  let s0 = i16x8.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (let j = 0; j < 4; j++) {
    const rows = twoRowsOf8(a, stride);
    s0 = addAbsoluteDifferences(s0, rows, twoRowsOf8(b0, stride));
    s1 = addAbsoluteDifferences(s1, rows, twoRowsOf8(b1, stride));
    s2 = addAbsoluteDifferences(s2, rows, twoRowsOf8(b2, stride));
    s3 = addAbsoluteDifferences(s3, rows, twoRowsOf8(b3, stride));
    a += 2 * stride;
    b0 += 2 * stride;
    b1 += 2 * stride;
    b2 += 2 * stride;
    b3 += 2 * stride;
  }
  return sumsOfFour(s0, s1, s2, s3);
}

/** Sums of eight u16 in lanes 0..2, i32, for three vectors. */
// @ts-ignore: decorator
@inline
export function sumsOfThree(s0: v128, s1: v128, s2: v128): v128 {
  const p0 = pairs(s0);
  const p1 = pairs(s1);
  const p2 = pairs(s2);
  const first = i32x4.add(v128.shuffle<i32>(p0, p1, 0, 4, 1, 5), v128.shuffle<i32>(p0, p1, 2, 6, 3, 7));
  const last = i32x4.add(p2, v128.shuffle<i32>(p2, p2, 2, 3, 0, 1));
  const even = v128.shuffle<i64>(first, last, 0, 2);
  const odd = v128.shuffle<i32>(first, last, 2, 3, 5, 7);
  return i32x4.add(even, odd);
}

/**
 * The sums of absolute differences of the open block (16x16 or 8x8) for dx, dx + 1 and dx + 2 in lanes 0..2, i32.
 * Side by side they share the current block's rows and the final additions.
 */
export function absoluteThree(dx: i32, dy: i32): v128 {
  let a = currentBlock;
  let b = match(dx, dy);
  let s0 = i16x8.splat(0);
  let s1 = s0;
  let s2 = s0;
  const step = <usize>stride;
  if (blockSize == 16) {
    for (let j = 0; j < 8; j++) {
      const row = v128.load(a);
      s0 = addAbsoluteDifferences(s0, row, v128.load(b));
      s1 = addAbsoluteDifferences(s1, row, v128.load(b, 1));
      s2 = addAbsoluteDifferences(s2, row, v128.load(b, 2));
      a += step;
      b += step;
      const next = v128.load(a);
      s0 = addAbsoluteDifferences(s0, next, v128.load(b));
      s1 = addAbsoluteDifferences(s1, next, v128.load(b, 1));
      s2 = addAbsoluteDifferences(s2, next, v128.load(b, 2));
      a += step;
      b += step;
    }
  } else {
    for (let j = 0; j < 4; j++) {
      const rows = twoRowsOf8(a, step);
      s0 = addAbsoluteDifferences(s0, rows, twoRowsOf8(b, step));
      s1 = addAbsoluteDifferences(s1, rows, twoRowsOf8(b + 1, step));
      s2 = addAbsoluteDifferences(s2, rows, twoRowsOf8(b + 2, step));
      a += 2 * step;
      b += 2 * step;
    }
  }
  return sumsOfThree(s0, s1, s2);
}
