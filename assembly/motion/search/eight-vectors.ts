// The metric of eight vectors at once: dx, dx + 1, ... dx + 7. All are compared in full.
import { sumLanes16, twoRowsOf8 } from '../../lanes';
import { blockSize, currentBlock, match, squared, stride } from './open-block';
import { scratch } from '../../scratch';

/** The current block, laid out for its size and metric: rows of u8, rows of u16, or every pel eight times as u16. */
const prepared: usize = scratch(512);
/** The eight metrics, u32. */
export const metrics: usize = scratch(8 * 4);
let currentSum: i32 = 0;

/** Fills `prepared` for the open block. */
export function prepareEight(): void {
  if (blockSize < 8) {
    for (let j = 0, to = prepared; j < blockSize; j++) {
      for (let i = 0; i < blockSize; i++, to += 16) {
        v128.store(to, i16x8.splat(<i16>load<u8>(currentBlock + j * stride + i)));
      }
    }
    return;
  }
  if (squared) {
    let to = prepared;
    for (let j = 0; j < blockSize; j++) {
      for (let i = 0; i < blockSize; i += 8, to += 16) v128.store(to, v128.load8x8_u(currentBlock + j * stride + i));
    }
    return;
  }
  let sum = i16x8.splat(0);
  for (let j = 0; j < 256 / 16; j++) {
    const rows = blockSize == 16 ? v128.load(currentBlock + j * stride) : twoRowsOf8(currentBlock + 2 * j * stride, stride);
    v128.store(prepared + (j << 4), rows);
    sum = i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(rows));
    if (blockSize == 8 && j == 3) break;
  }
  currentSum = sumLanes16(sum);
}

// @ts-ignore: decorator
@inline
function addMinima(sum: v128, a: v128, b: v128): v128 {
  return i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(i8x16.min_u(a, b)));
}

// @ts-ignore: decorator
@inline
function fold16(a: v128, b: v128): v128 {
  return i16x8.add(
    v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11),
    v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15),
  );
}

// @ts-ignore: decorator
@inline
function fold32(a: v128, b: v128): v128 {
  return i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
}

// @ts-ignore: decorator
@inline
function fold64(a: v128, b: v128): v128 {
  return i32x4.add(v128.shuffle<i64>(a, b, 0, 2), v128.shuffle<i64>(a, b, 1, 3));
}

// @ts-ignore: decorator
@inline
function fold16Pairs(a: v128, b: v128): v128 {
  return i16x8.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
}

// @ts-ignore: decorator
@inline
function fold16Quads(a: v128, b: v128): v128 {
  return i16x8.add(v128.shuffle<i64>(a, b, 0, 2), v128.shuffle<i64>(a, b, 1, 3));
}

/** Sums of the lanes of each of eight vectors. */
// @ts-ignore: decorator
@inline
function foldEight(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128): v128 {
  return fold16Quads(
    fold16Pairs(fold16(a, b), fold16(c, d)),
    fold16Pairs(fold16(e, f), fold16(g, h)),
  );
}

/**
 * Sums of the minima of `rows` prepared rows of 16 pels at `a` and those at `b`, `b` + 1, ... `b` + 7 in the
 * reference.
 */
// @ts-ignore: decorator
@inline
function minimaOf16(a: usize, b: usize, rows: usize): v128 {
  let m0 = i16x8.splat(0);
  let m1 = m0;
  let m2 = m0;
  let m3 = m0;
  let m4 = m0;
  let m5 = m0;
  let m6 = m0;
  let m7 = m0;
  const end = a + (rows << 4);
  do {
    const row = v128.load(a);
    m0 = addMinima(m0, row, v128.load(b));
    m1 = addMinima(m1, row, v128.load(b, 1));
    m2 = addMinima(m2, row, v128.load(b, 2));
    m3 = addMinima(m3, row, v128.load(b, 3));
    m4 = addMinima(m4, row, v128.load(b, 4));
    m5 = addMinima(m5, row, v128.load(b, 5));
    m6 = addMinima(m6, row, v128.load(b, 6));
    m7 = addMinima(m7, row, v128.load(b, 7));
    a += 16;
    b += stride;
  } while (a < end);
  return foldEight(m0, m1, m2, m3, m4, m5, m6, m7);
}

/** The same for the eight rows of 8x8 blocks, two rows side by side. */
// @ts-ignore: decorator
@inline
function minimaOf8(a: usize, b: usize): v128 {
  let m0 = i16x8.splat(0);
  let m1 = m0;
  let m2 = m0;
  let m3 = m0;
  let m4 = m0;
  let m5 = m0;
  let m6 = m0;
  let m7 = m0;
  const end = a + 64;
  do {
    const rows = v128.load(a);
    m0 = addMinima(m0, rows, twoRowsOf8(b, stride));
    m1 = addMinima(m1, rows, twoRowsOf8(b + 1, stride));
    m2 = addMinima(m2, rows, twoRowsOf8(b + 2, stride));
    m3 = addMinima(m3, rows, twoRowsOf8(b + 3, stride));
    m4 = addMinima(m4, rows, twoRowsOf8(b + 4, stride));
    m5 = addMinima(m5, rows, twoRowsOf8(b + 5, stride));
    m6 = addMinima(m6, rows, twoRowsOf8(b + 6, stride));
    m7 = addMinima(m7, rows, twoRowsOf8(b + 7, stride));
    a += 16;
    b += 2 * stride;
  } while (a < end);
  return foldEight(m0, m1, m2, m3, m4, m5, m6, m7);
}

/** Sums of the minima of the upper or the lower half of the open 16x16 block and of eight reference blocks. */
export function minimaOfHalf(dx: i32, dy: i32, lower: bool): v128 {
  return lower ? minimaOf16(prepared + 128, match(dx, dy) + 8 * stride, 8) : minimaOf16(prepared, match(dx, dy), 8);
}

/**
 * Eight sums of absolute differences of 16x16 or 8x8 blocks, u16. Two pels differ by a + b - 2 min(a, b). The sums of
 * the blocks are known (`sums`: those of the eight reference blocks), so only the minima are added up: three
 * instructions for sixteen pels instead of five. Sums are exact modulo 2^16, and the result is smaller than that.
 */
export function absoluteEight(dx: i32, dy: i32, sums: usize): v128 {
  const b = match(dx, dy);
  return fromMinima(blockSize == 16 ? minimaOf16(prepared, b, 16) : minimaOf8(prepared, b), sums);
}

/** S + s - 2 min(S, s), where `sums` are those of eight reference blocks. */
// @ts-ignore: decorator
@inline
function fromMinima(minima: v128, sums: usize): v128 {
  const both = i16x8.add(i16x8.splat(<i16>currentSum), v128.load(sums));
  return i16x8.sub(both, i16x8.shl(minima, 1));
}

// @ts-ignore: decorator
@inline
function addSquares(sum: v128, a: v128, b: usize): v128 {
  const difference = i16x8.sub(v128.load8x8_u(b), a);
  return i32x4.add(sum, i32x4.dot_i16x8_s(difference, difference));
}

/** Eight sums of squared errors of 16x16 or 8x8 blocks, stored in `metrics`. */
export function squaresEight(dx: i32, dy: i32): void {
  let row = match(dx, dy);
  let a = prepared;
  let s0 = i32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  let s7 = s0;
  for (let j = 0; j < blockSize; j++) {
    for (let i = 0; i < blockSize; i += 8) {
      const pels = v128.load(a);
      const b = row + i;
      s0 = addSquares(s0, pels, b);
      s1 = addSquares(s1, pels, b + 1);
      s2 = addSquares(s2, pels, b + 2);
      s3 = addSquares(s3, pels, b + 3);
      s4 = addSquares(s4, pels, b + 4);
      s5 = addSquares(s5, pels, b + 5);
      s6 = addSquares(s6, pels, b + 6);
      s7 = addSquares(s7, pels, b + 7);
      a += 16;
    }
    row += stride;
  }
  v128.store(metrics, fold64(fold32(s0, s1), fold32(s2, s3)));
  v128.store(metrics, fold64(fold32(s4, s5), fold32(s6, s7)), 16);
}

/** Eight sums of absolute differences of 4x4 or 2x2 blocks, u16: a vector per lane. */
// @ts-ignore: decorator
@inline
export function absoluteEightSmall(dx: i32, dy: i32): v128 {
  let row = match(dx, dy);
  let a = prepared;
  let sum = i16x8.splat(0);
  for (let j = 0; j < blockSize; j++) {
    for (let i = 0; i < blockSize; i += 2) {
      sum = i16x8.add(sum, i16x8.abs(i16x8.sub(v128.load8x8_u(row + i), v128.load(a))));
      sum = i16x8.add(sum, i16x8.abs(i16x8.sub(v128.load8x8_u(row + i + 1), v128.load(a, 16))));
      a += 32;
    }
    row += stride;
  }
  return sum;
}

/** Eight sums of squared errors of 4x4 or 2x2 blocks, stored in `metrics`. */
export function squaresEightSmall(dx: i32, dy: i32): void {
  let row = match(dx, dy);
  let a = prepared;
  let low = i32x4.splat(0);
  let high = low;
  for (let j = 0; j < blockSize; j++) {
    for (let i = 0; i < blockSize; i++) {
      const difference = i16x8.sub(v128.load8x8_u(row + i), v128.load(a));
      low = i32x4.add(low, i32x4.extmul_low_i16x8_s(difference, difference));
      high = i32x4.add(high, i32x4.extmul_high_i16x8_s(difference, difference));
      a += 16;
    }
    row += stride;
  }
  v128.store(metrics, low);
  v128.store(metrics, high, 16);
}

/** Stores eight u16 metrics in `metrics`. */
// @ts-ignore: decorator
@inline
export function spreadMetrics(values: v128): void {
  v128.store(metrics, i32x4.extend_low_i16x8_u(values));
  v128.store(metrics, i32x4.extend_high_i16x8_u(values), 16);
}
