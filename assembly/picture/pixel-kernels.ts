// Pel kernels in WASM SIMD; each equals its namesake in src/picture/pixel-kernels.ts to the bit.

import { absoluteDifference, squaredDifferences, sumLanes16, sumLanes32 } from '../lanes';

/** (a + b + c + d + 2) >> 2 of unsigned bytes: the mean of two rounded means, less one where both roundings were too much. */
// @ts-ignore: decorator
@inline
function averageOfFour(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = v128.avgr<u8>(a, b);
  const cd = v128.avgr<u8>(c, d);
  const inexact = v128.or(v128.xor(a, b), v128.xor(c, d));
  const excess = v128.and(v128.and(inexact, v128.xor(ab, cd)), i8x16.splat(1));
  return v128.sub<u8>(v128.avgr<u8>(ab, cd), excess);
}

/** 16 half-pel predicted pels. */
// @ts-ignore: decorator
@inline
function halfPelRow(at: usize, stride: usize, halfX: i32, halfY: i32): v128 {
  if (halfY == 0) {
    return halfX == 0 ? v128.load(at) : v128.avgr<u8>(v128.load(at), v128.load(at + 1));
  }
  if (halfX == 0) return v128.avgr<u8>(v128.load(at), v128.load(at + stride));
  return averageOfFour(v128.load(at), v128.load(at + 1), v128.load(at + stride), v128.load(at + stride + 1));
}

export function sad16x16(a: usize, aStride: usize, b: usize, bStride: usize): i32 {
  let sum = i16x8.splat(0);
  for (let y = 0; y < 4; y++) {
    sum = addDifference(sum, v128.load(a), v128.load(b));
    a += aStride;
    b += bStride;
    sum = addDifference(sum, v128.load(a), v128.load(b));
    a += aStride;
    b += bStride;
    sum = addDifference(sum, v128.load(a), v128.load(b));
    a += aStride;
    b += bStride;
    sum = addDifference(sum, v128.load(a), v128.load(b));
    a += aStride;
    b += bStride;
  }
  return sumLanes16(sum);
}

export function sad8x8(a: usize, aStride: usize, b: usize, bStride: usize): i32 {
  let sum = i16x8.splat(0);
  for (let y = 0; y < 8; y++) {
    sum = v128.add<i16>(
      sum,
      i16x8.extadd_pairwise_i8x16_u(absoluteDifference(v128.load64_zero(a), v128.load64_zero(b))),
    );
    a += aStride;
    b += bStride;
  }
  return sumLanes16(sum);
}

export function sse16x16(a: usize, aStride: usize, b: usize, bStride: usize): i32 {
  let sum = i32x4.splat(0);
  for (let y = 0; y < 16; y++) {
    sum = v128.add<i32>(sum, squaredDifferences(v128.load(a), v128.load(b)));
    a += aStride;
    b += bStride;
  }
  return sumLanes32(sum);
}

export function sse8x8(a: usize, aStride: usize, b: usize, bStride: usize): i32 {
  let sum = i32x4.splat(0);
  for (let y = 0; y < 8; y++) {
    sum = v128.add<i32>(sum, squaredDifferences(v128.load64_zero(a), v128.load64_zero(b)));
    a += aStride;
    b += bStride;
  }
  return sumLanes32(sum);
}

// @ts-ignore: decorator
@inline
function interpolateRows(
  target: usize,
  targetStride: usize,
  source: usize,
  stride: usize,
  size: i32,
  halfX: i32,
  halfY: i32,
): void {
  if (size == 16) {
    for (let y = 0; y < 16; y++) {
      v128.store(target, halfPelRow(source, stride, halfX, halfY));
      target += targetStride;
      source += stride;
    }
  } else {
    for (let y = 0; y < 8; y++) {
      v128.store64_lane(target, halfPelRow(source, stride, halfX, halfY), 0);
      target += targetStride;
      source += stride;
    }
  }
}

export function interpolate(
  target: usize,
  targetStride: usize,
  source: usize,
  stride: usize,
  size: i32,
  halfX: i32,
  halfY: i32,
): void {
  // One copy of the loop per case, so that the case is not tested in every row.
  if (halfX == 0) {
    if (halfY == 0) interpolateRows(target, targetStride, source, stride, size, 0, 0);
    else interpolateRows(target, targetStride, source, stride, size, 0, 1);
  } else {
    if (halfY == 0) interpolateRows(target, targetStride, source, stride, size, 1, 0);
    else interpolateRows(target, targetStride, source, stride, size, 1, 1);
  }
}

export function average(
  target: usize,
  targetStride: usize,
  a: usize,
  aStride: usize,
  b: usize,
  bStride: usize,
  size: i32,
): void {
  for (let y = 0; y < size; y++) {
    const row = v128.avgr<u8>(v128.load(a), v128.load(b));
    if (size == 16) v128.store(target, row);
    else v128.store64_lane(target, row, 0);
    target += targetStride;
    a += aStride;
    b += bStride;
  }
}

export function copyBlock(target: usize, targetStride: usize, source: usize, sourceStride: usize, size: i32): void {
  interpolateRows(target, targetStride, source, sourceStride, size, 0, 0);
}

// @ts-ignore: decorator
@inline
function sadHalfPelCase(a: usize, aStride: usize, at: usize, stride: usize, halfX: i32, halfY: i32): i32 {
  let sum = i16x8.splat(0);
  for (let y = 0; y < 8; y++) {
    sum = addDifference(sum, v128.load(a), halfPelRow(at, stride, halfX, halfY));
    a += aStride;
    at += stride;
    sum = addDifference(sum, v128.load(a), halfPelRow(at, stride, halfX, halfY));
    a += aStride;
    at += stride;
  }
  return sumLanes16(sum);
}

export function sadHalfPel16x16(a: usize, aStride: usize, at: usize, stride: usize, halfX: i32, halfY: i32): i32 {
  if (halfX == 0) {
    return halfY == 0 ? sad16x16(a, aStride, at, stride) : sadHalfPelCase(a, aStride, at, stride, 0, 1);
  }
  return halfY == 0 ? sadHalfPelCase(a, aStride, at, stride, 1, 0) : sadHalfPelCase(a, aStride, at, stride, 1, 1);
}

/** `sum` plus the pairwise sums of |a - b|. */
// @ts-ignore: decorator
@inline
function addDifference(sum: v128, a: v128, b: v128): v128 {
  return v128.add<i16>(sum, i16x8.extadd_pairwise_i8x16_u(absoluteDifference(a, b)));
}

export function sadHalfPelNeighbours16x16(a: usize, aStride: usize, at: usize, stride: usize, sads: usize): void {
  let up = i16x8.splat(0);
  let left = i16x8.splat(0);
  let right = i16x8.splat(0);
  let down = i16x8.splat(0);
  let upLeft = i16x8.splat(0);
  let upRight = i16x8.splat(0);
  let downLeft = i16x8.splat(0);
  let downRight = i16x8.splat(0);
  let l = v128.load(at - 1);
  let c = v128.load(at);
  let r = v128.load(at + 1);
  const above = at - stride;
  // What lies half a pel above a row lies half a pel below the row before.
  let higher = v128.avgr<u8>(v128.load(above), c);
  let higherLeft = averageOfFour(v128.load(above - 1), v128.load(above), l, c);
  let higherRight = averageOfFour(v128.load(above), v128.load(above + 1), c, r);
  for (let y = 0; y < 16; y++) {
    at += stride;
    const pels = v128.load(a);
    const nextL = v128.load(at - 1);
    const nextC = v128.load(at);
    const nextR = v128.load(at + 1);
    up = addDifference(up, pels, higher);
    upLeft = addDifference(upLeft, pels, higherLeft);
    upRight = addDifference(upRight, pels, higherRight);
    left = addDifference(left, pels, v128.avgr<u8>(l, c));
    right = addDifference(right, pels, v128.avgr<u8>(c, r));
    higher = v128.avgr<u8>(c, nextC);
    higherLeft = averageOfFour(l, c, nextL, nextC);
    higherRight = averageOfFour(c, r, nextC, nextR);
    down = addDifference(down, pels, higher);
    downLeft = addDifference(downLeft, pels, higherLeft);
    downRight = addDifference(downRight, pels, higherRight);
    l = nextL;
    c = nextC;
    r = nextR;
    a += aStride;
  }
  store<i32>(sads, sumLanes16(up));
  store<i32>(sads, sumLanes16(left), 4);
  store<i32>(sads, sumLanes16(right), 8);
  store<i32>(sads, sumLanes16(down), 12);
  store<i32>(sads, sumLanes16(upLeft), 16);
  store<i32>(sads, sumLanes16(upRight), 20);
  store<i32>(sads, sumLanes16(downLeft), 24);
  store<i32>(sads, sumLanes16(downRight), 28);
}

// @ts-ignore: decorator
@inline
function sadAverageCase(a: usize, aStride: usize, other: usize, at: usize, stride: usize, halfX: i32, halfY: i32): i32 {
  let sum = i16x8.splat(0);
  for (let y = 0; y < 8; y++) {
    sum = addDifference(sum, v128.load(a), v128.avgr<u8>(v128.load(other), halfPelRow(at, stride, halfX, halfY)));
    a += aStride;
    at += stride;
    sum = addDifference(sum, v128.load(a), v128.avgr<u8>(v128.load(other, 16), halfPelRow(at, stride, halfX, halfY)));
    a += aStride;
    at += stride;
    other += 32;
  }
  return sumLanes16(sum);
}

export function sadAverage16x16(
  a: usize,
  aStride: usize,
  other: usize,
  at: usize,
  stride: usize,
  halfX: i32,
  halfY: i32,
): i32 {
  if (halfX == 0) {
    return halfY == 0
      ? sadAverageCase(a, aStride, other, at, stride, 0, 0)
      : sadAverageCase(a, aStride, other, at, stride, 0, 1);
  }
  return halfY == 0
    ? sadAverageCase(a, aStride, other, at, stride, 1, 0)
    : sadAverageCase(a, aStride, other, at, stride, 1, 1);
}

export function deviation16x16(a: usize, aStride: usize): i32 {
  let total = i16x8.splat(0);
  let at = a;
  for (let y = 0; y < 16; y++) {
    total = v128.add<i16>(total, i16x8.extadd_pairwise_i8x16_u(v128.load(at)));
    at += aStride;
  }
  const mean = i8x16.splat(<i8>((sumLanes16(total) + 128) >> 8));
  let sum = i16x8.splat(0);
  for (let y = 0; y < 16; y++) {
    sum = v128.add<i16>(sum, i16x8.extadd_pairwise_i8x16_u(absoluteDifference(v128.load(a), mean)));
    a += aStride;
  }
  return sumLanes16(sum);
}

export function sumSquaredDifferences(a: usize, b: usize, length: i32): f64 {
  let total: f64 = 0;
  let i = 0;
  while (i + 16 <= length) {
    // 4,096 pels at a time stay far inside 32 bits a lane.
    const stop = min(i + 4096, length & ~15);
    let sum = i32x4.splat(0);
    for (; i < stop; i += 16) sum = v128.add<i32>(sum, squaredDifferences(v128.load(a + i), v128.load(b + i)));
    total += <f64>sumLanes32(sum);
  }
  for (; i < length; i++) {
    const difference = <i32>load<u8>(a + i) - <i32>load<u8>(b + i);
    total += <f64>(difference * difference);
  }
  return total;
}
