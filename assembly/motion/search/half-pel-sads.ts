// SADs of a macroblock against predictions between the pels.
import { addAbsoluteDifferences, sumLanes16 } from '../../lanes';
import { sad16x16 } from '../../picture/block-differences';
import { averageOfFour, halfPelRow } from '../../picture/half-pel-prediction';

// @ts-ignore: decorator
@inline
function sadHalfPelCase(a: usize, aStride: usize, at: usize, stride: usize, halfX: i32, halfY: i32): i32 {
  let sum = i16x8.splat(0);
  for (let y = 0; y < 8; y++) {
    sum = addAbsoluteDifferences(sum, v128.load(a), halfPelRow(at, stride, halfX, halfY));
    a += aStride;
    at += stride;
    sum = addAbsoluteDifferences(sum, v128.load(a), halfPelRow(at, stride, halfX, halfY));
    a += aStride;
    at += stride;
  }
  return sumLanes16(sum);
}

/** SAD of a 16x16 block against the half-pel prediction at `at`, without storing it. */
export function sadHalfPel16x16(a: usize, aStride: usize, at: usize, stride: usize, halfX: i32, halfY: i32): i32 {
  if (halfX == 0) {
    return halfY == 0 ? sad16x16(a, aStride, at, stride) : sadHalfPelCase(a, aStride, at, stride, 0, 1);
  }
  return halfY == 0 ? sadHalfPelCase(a, aStride, at, stride, 1, 0) : sadHalfPelCase(a, aStride, at, stride, 1, 1);
}

/**
 * SADs of a 16x16 block against the predictions at the eight half-pel neighbours of the full-pel position `at`,
 * written to `sads` as eight int32 in the order of NEIGHBOURS. Reads the 18x18 pels around the block.
 */
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
  // The pels half a pel above a row are those half a pel below the row before.
  let higher = v128.avgr<u8>(v128.load(above), c);
  let higherLeft = averageOfFour(v128.load(above - 1), v128.load(above), l, c);
  let higherRight = averageOfFour(v128.load(above), v128.load(above + 1), c, r);
  for (let y = 0; y < 16; y++) {
    at += stride;
    const pels = v128.load(a);
    const nextL = v128.load(at - 1);
    const nextC = v128.load(at);
    const nextR = v128.load(at + 1);
    up = addAbsoluteDifferences(up, pels, higher);
    upLeft = addAbsoluteDifferences(upLeft, pels, higherLeft);
    upRight = addAbsoluteDifferences(upRight, pels, higherRight);
    left = addAbsoluteDifferences(left, pels, v128.avgr<u8>(l, c));
    right = addAbsoluteDifferences(right, pels, v128.avgr<u8>(c, r));
    higher = v128.avgr<u8>(c, nextC);
    higherLeft = averageOfFour(l, c, nextL, nextC);
    higherRight = averageOfFour(c, r, nextC, nextR);
    down = addAbsoluteDifferences(down, pels, higher);
    downLeft = addAbsoluteDifferences(downLeft, pels, higherLeft);
    downRight = addAbsoluteDifferences(downRight, pels, higherRight);
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
    sum = addAbsoluteDifferences(sum, v128.load(a), v128.avgr<u8>(v128.load(other), halfPelRow(at, stride, halfX, halfY)));
    a += aStride;
    at += stride;
    sum = addAbsoluteDifferences(sum, v128.load(a), v128.avgr<u8>(v128.load(other, 16), halfPelRow(at, stride, halfX, halfY)));
    a += aStride;
    at += stride;
    other += 32;
  }
  return sumLanes16(sum);
}

/** SAD of a 16x16 block against the mean of `other`, 16x16 pels with stride 16, and the half-pel prediction at `at`. */
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
