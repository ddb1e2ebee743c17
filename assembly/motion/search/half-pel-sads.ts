// SADs of a macroblock against predictions between the pels.
import { addAbsoluteDifferences, sumLanes16, sumsOfFour } from '../../lanes';
import { sad16x16 } from '../../picture/block-differences';
import { averageOfFour, halfPelRow } from '../../picture/half-pel-prediction';

// @ts-ignore: decorator
@inline
function sadHalfPelCase(a: usize, aStride: usize, at: usize, stride: usize, halfX: i32, halfY: i32): i32 {
  let sum = i16x8.splat(0);
  for (let y = 0; y < 16; y++) {
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

/** Pels half a pel to a side of a centre: from a row, or between two. `halfX`: the centre is between columns. */
// @ts-ignore: decorator
@inline
function sidePels(side: v128, centre: v128, sideBelow: v128, centreBelow: v128, halfX: i32, between: bool): v128 {
  if (halfX == 0) return between ? averageOfFour(side, centre, sideBelow, centreBelow) : v128.avgr<u8>(side, centre);
  return between ? v128.avgr<u8>(side, sideBelow) : side;
}

/** Pels above or below a centre: from a row, or between two. */
// @ts-ignore: decorator
@inline
function centrePels(
  l: v128,
  c: v128,
  r: v128,
  lBelow: v128,
  cBelow: v128,
  rBelow: v128,
  halfX: i32,
  between: bool,
): v128 {
  if (halfX == 0) return between ? v128.avgr<u8>(c, cBelow) : c;
  return between ? averageOfFour(l, r, lBelow, rBelow) : v128.avgr<u8>(l, r);
}

/** The same for one kind of position. The pels half a pel below a row are those half a pel above the next one. */
// @ts-ignore: decorator
@inline
function sadNeighboursCase(
  a: usize,
  aStride: usize,
  at: usize,
  stride: usize,
  halfX: i32,
  halfY: i32,
  sads: usize,
): void {
  const betweenRows = halfY == 0;
  let up = i16x8.splat(0);
  let left = i16x8.splat(0);
  let right = i16x8.splat(0);
  let down = i16x8.splat(0);
  let upLeft = i16x8.splat(0);
  let upRight = i16x8.splat(0);
  let downLeft = i16x8.splat(0);
  let downRight = i16x8.splat(0);
  const before: usize = halfX == 0 ? 1 : 0;
  let l = v128.load(at - before);
  let c = v128.load(at);
  let r = v128.load(at + 1);
  const above = at - stride;
  const aboveL = betweenRows ? v128.load(above - before) : l;
  const aboveC = betweenRows ? v128.load(above) : c;
  const aboveR = betweenRows ? v128.load(above + 1) : r;
  let higher = centrePels(aboveL, aboveC, aboveR, l, c, r, halfX, betweenRows);
  let higherLeft = sidePels(aboveL, aboveC, l, c, halfX, betweenRows);
  let higherRight = sidePels(aboveR, aboveC, r, c, halfX, betweenRows);
  for (let y = 0; y < 16; y++) {
    at += stride;
    const pels = v128.load(a);
    const nextL = v128.load(at - before);
    const nextC = v128.load(at);
    const nextR = v128.load(at + 1);
    up = addAbsoluteDifferences(up, pels, higher);
    upLeft = addAbsoluteDifferences(upLeft, pels, higherLeft);
    upRight = addAbsoluteDifferences(upRight, pels, higherRight);
    left = addAbsoluteDifferences(left, pels, sidePels(l, c, nextL, nextC, halfX, !betweenRows));
    right = addAbsoluteDifferences(right, pels, sidePels(r, c, nextR, nextC, halfX, !betweenRows));
    // The pels half a pel below this row: between it and the next one, or in the next one alone.
    const from = betweenRows ? c : nextC;
    const fromL = betweenRows ? l : nextL;
    const fromR = betweenRows ? r : nextR;
    higher = centrePels(fromL, from, fromR, nextL, nextC, nextR, halfX, betweenRows);
    higherLeft = sidePels(fromL, from, nextL, nextC, halfX, betweenRows);
    higherRight = sidePels(fromR, from, nextR, nextC, halfX, betweenRows);
    down = addAbsoluteDifferences(down, pels, higher);
    downLeft = addAbsoluteDifferences(downLeft, pels, higherLeft);
    downRight = addAbsoluteDifferences(downRight, pels, higherRight);
    l = nextL;
    c = nextC;
    r = nextR;
    a += aStride;
  }
  v128.store(sads, sumsOfFour(up, left, right, down));
  v128.store(sads, sumsOfFour(upLeft, upRight, downLeft, downRight), 16);
}

/**
 * SADs of a 16x16 block against the predictions at the eight half-pel neighbours of a position, (halfX / 2, halfY / 2)
 * from `at`; written to `sads` as eight int32 in the order of NEIGHBOURS. Reads the 18x18 pels around the block.
 */
export function sadNeighbours16x16(
  a: usize,
  aStride: usize,
  at: usize,
  stride: usize,
  halfX: i32,
  halfY: i32,
  sads: usize,
): void {
  if (halfX == 0) {
    if (halfY == 0) sadNeighboursCase(a, aStride, at, stride, 0, 0, sads);
    else sadNeighboursCase(a, aStride, at, stride, 0, 1, sads);
  } else {
    if (halfY == 0) sadNeighboursCase(a, aStride, at, stride, 1, 0, sads);
    else sadNeighboursCase(a, aStride, at, stride, 1, 1, sads);
  }
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
