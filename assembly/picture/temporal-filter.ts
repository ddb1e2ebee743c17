// Filters the luma of a source picture with pictures around it, along its motion: noise falls, and what moves stays.
import { TemporalFilter } from '../generated/records';
import { sumLanes32 } from '../lanes';
import { scratch } from '../scratch';
import { sad16x16 } from './block-differences';

/** Interpolated blocks, one for each reference, with a stride of 16. */
const between: usize = scratch(4 * 256);
/** Rows -2..18 of a block that is interpolated along its rows, with a stride of 16. */
const rowsAround: usize = scratch(21 * 16);
/** A block of each reference that counts: pointer, stride, weight (i16), in 16 bytes each. */
const weighed: usize = scratch(4 * 16);
const WEIGHED_BYTES: usize = 16;
/** What a pel of the picture itself counts. */
const OWN_WEIGHT: i16 = 1 << 8;

/** Sums of squared differences to the match and to the blocks around it. */
let here: i32 = 0;
let left: i32 = 0;
let right: i32 = 0;
let above: i32 = 0;
let below: i32 = 0;

/** The first pel of the match of a macroblock, and the SAD with it; -1: not computed yet. */
let matchX: i32 = 0;
let matchY: i32 = 0;
let matchSad: i32 = 0;

/** `sum` plus the squared differences of 16 pels (i16). */
// @ts-ignore: decorator
@inline
function addSquares(sum: v128, low: v128, high: v128, otherLow: v128, otherHigh: v128): v128 {
  const a = i16x8.sub(low, otherLow);
  const b = i16x8.sub(high, otherHigh);
  return i32x4.add(sum, i32x4.add(i32x4.dot_i16x8_s(a, a), i32x4.dot_i16x8_s(b, b)));
}

/** Finds these sums. `beside`, `beyond`: distances of the next pel and the next row; 0 at an edge of the plane. */
function compareAround(own: usize, match: usize, stride: usize, beside: usize, beyond: usize): void {
  let sumHere = i32x4.splat(0);
  let sumLeft = i32x4.splat(0);
  let sumRight = i32x4.splat(0);
  let sumAbove = i32x4.splat(0);
  let sumBelow = i32x4.splat(0);
  let aboveLow = v128.load_ext<u8>(match - beyond);
  let aboveHigh = v128.load_ext<u8>(match - beyond, 8);
  let low = v128.load_ext<u8>(match);
  let high = v128.load_ext<u8>(match, 8);
  for (let y = 0; y < 16; y++) {
    const ownLow = v128.load_ext<u8>(own);
    const ownHigh = v128.load_ext<u8>(own, 8);
    const before = match - beside;
    const after = match + beside;
    sumLeft = addSquares(sumLeft, ownLow, ownHigh, v128.load_ext<u8>(before), v128.load_ext<u8>(before, 8));
    sumRight = addSquares(sumRight, ownLow, ownHigh, v128.load_ext<u8>(after), v128.load_ext<u8>(after, 8));
    sumHere = addSquares(sumHere, ownLow, ownHigh, low, high);
    sumAbove = addSquares(sumAbove, ownLow, ownHigh, aboveLow, aboveHigh);
    aboveLow = low;
    aboveHigh = high;
    match += y < 15 ? stride : beyond;
    low = v128.load_ext<u8>(match);
    high = v128.load_ext<u8>(match, 8);
    sumBelow = addSquares(sumBelow, ownLow, ownHigh, low, high);
    own += stride;
  }
  here = sumLanes32(sumHere);
  left = sumLanes32(sumLeft);
  right = sumLanes32(sumRight);
  above = sumLanes32(sumAbove);
  below = sumLanes32(sumBelow);
}

/** Where a parabola through three sums of squared differences is lowest, in quarter-pels, -2..2. */
function lowestQuarter(before: i32, after: i32): i32 {
  const curvature = before + after - 2 * here;
  if (curvature <= 0) return 0;
  const slope = 2 * (before - after);
  const quarters = min((2 * abs(slope) + curvature) / (2 * curvature), 2);
  return slope < 0 ? -quarters : quarters;
}

/** Whether 16 pels from `at` on lie in a line of `length`, with the pels that the taps reach beside them. */
function isInside(at: i32, quarters: i32, length: i32): bool {
  return quarters == 0 || (at >= 2 && at + 19 <= length);
}

/** The six taps of the filter for a position in quarter-pels, over the pels -2..+3, in 64ths. */
function tapsOf(quarters: i32): v128 {
  const phase = quarters & 3;
  if (phase == 1) return i16x8(3, -10, 58, 17, -5, 1, 0, 0);
  if (phase == 2) return i16x8(3, -11, 40, 40, -11, 3, 0, 0);
  return i16x8(1, -5, 17, 58, -10, 3, 0, 0);
}

/** Eight pels times a tap. */
// @ts-ignore: decorator
@inline
function product(at: usize, tap: v128): v128 {
  return i16x8.mul(v128.load_ext<u8>(at), tap);
}

/** 64 times eight interpolated pels: `at` is the first of six pels `step` bytes apart. The sums fit 16 bits. */
// @ts-ignore: decorator
@inline
function sumAlong(at: usize, step: usize, taps: v128): v128 {
  const t0 = v128.shuffle<i16>(taps, taps, 0, 0, 0, 0, 0, 0, 0, 0);
  const t1 = v128.shuffle<i16>(taps, taps, 1, 1, 1, 1, 1, 1, 1, 1);
  const t2 = v128.shuffle<i16>(taps, taps, 2, 2, 2, 2, 2, 2, 2, 2);
  const t3 = v128.shuffle<i16>(taps, taps, 3, 3, 3, 3, 3, 3, 3, 3);
  const t4 = v128.shuffle<i16>(taps, taps, 4, 4, 4, 4, 4, 4, 4, 4);
  const t5 = v128.shuffle<i16>(taps, taps, 5, 5, 5, 5, 5, 5, 5, 5);
  const two = step << 1;
  const four = step << 2;
  const a = i16x8.add(product(at, t0), product(at + step, t1));
  const b = i16x8.add(product(at + two, t2), product(at + two + step, t3));
  const c = i16x8.add(product(at + four, t4), product(at + four + step, t5));
  return i16x8.add(i16x8.add(a, b), c);
}

/** Eight sums of 64 times a pel, rounded. */
// @ts-ignore: decorator
@inline
function rounded(sums: v128): v128 {
  return i16x8.shr_s(i16x8.add(sums, i16x8.splat(32)), 6);
}

/** Interpolates rows of 16 pels along one axis, whose pels are `step` bytes apart. */
function interpolateAlong(to: usize, rows: usize, at: usize, stride: usize, step: usize, taps: v128): void {
  at -= 2 * step;
  for (const end = to + 16 * rows; to < end; to += 16) {
    v128.store(to, i8x16.narrow_i16x8_u(rounded(sumAlong(at, step, taps)), rounded(sumAlong(at + 8, step, taps))));
    at += stride;
  }
}

/** 2^23 and half of it: a sum with it is rounded to a whole number. */
const ROUNDER: f32 = 12582912;

/** Four sums of weighted differences by four sums of weights (i32), rounded; a half is rounded up. */
// @ts-ignore: decorator
@inline
function quotient(sums: v128, weights: v128): v128 {
  const numerator = f32x4.add(f32x4.convert_i32x4_s(sums), f32x4.splat(0.25));
  const rounded = f32x4.add(f32x4.div(numerator, f32x4.convert_i32x4_s(weights)), f32x4.splat(ROUNDER));
  return i32x4.sub(rounded, f32x4.splat(ROUNDER));
}

/** Eight filtered pels (i16) from the pels, their weighted differences and the weights of all. */
// @ts-ignore: decorator
@inline
function filtered(pels: v128, sums: v128, weights: v128): v128 {
  const low = quotient(i32x4.extend_low_i16x8_s(sums), i32x4.extend_low_i16x8_u(weights));
  const high = quotient(i32x4.extend_high_i16x8_s(sums), i32x4.extend_high_i16x8_u(weights));
  return i16x8.add(pels, i16x8.narrow_i32x4_s(low, high));
}

/** What eight pels of a reference count that differ by `difference` from the picture's. */
// @ts-ignore: decorator
@inline
function weightsOf(difference: v128, limits: v128, factors: v128, squares: v128, weight: v128): v128 {
  const size = i16x8.min_u(i16x8.abs(difference), limits);
  const nearness = i16x8.shr_u(i16x8.sub_sat_u(squares, i16x8.mul(i16x8.mul(size, size), factors)), 7);
  return i16x8.shr_u(i16x8.mul(i16x8.shr_u(i16x8.mul(nearness, nearness), 8), weight), 8);
}

/** Filters a macroblock with the references from `weighed` to `end`. */
function weighIn(job: TemporalFilter, target: usize, own: usize, stride: usize, end: usize): void {
  const limits = i16x8.splat(<i16>job.pelLimit);
  const factors = i16x8.splat(<i16>job.pelFactor);
  const squares = i16x8.splat(<i16>job.pelSquare);
  for (let y: usize = 0; y < 16; y++) {
    const low = v128.load_ext<u8>(own);
    const high = v128.load_ext<u8>(own, 8);
    let lowSums = i16x8.splat(0);
    let highSums = i16x8.splat(0);
    let lowWeights = i16x8.splat(OWN_WEIGHT);
    let highWeights = i16x8.splat(OWN_WEIGHT);
    for (let one = weighed; one < end; one += WEIGHED_BYTES) {
      const at = load<usize>(one);
      store<usize>(one, at + load<usize>(one, 4));
      const weight = v128.load16_splat(one, 8);
      const lowDifference = i16x8.sub(v128.load_ext<u8>(at), low);
      const lowCounts = weightsOf(lowDifference, limits, factors, squares, weight);
      lowSums = i16x8.add(lowSums, i16x8.mul(lowCounts, lowDifference));
      lowWeights = i16x8.add(lowWeights, lowCounts);
      const highDifference = i16x8.sub(v128.load_ext<u8>(at, 8), high);
      const highCounts = weightsOf(highDifference, limits, factors, squares, weight);
      highSums = i16x8.add(highSums, i16x8.mul(highCounts, highDifference));
      highWeights = i16x8.add(highWeights, highCounts);
    }
    v128.store(target, i8x16.narrow_i16x8_u(filtered(low, lowSums, lowWeights), filtered(high, highSums, highWeights)));
    target += stride;
    own += stride;
  }
}

/** The sum of squared differences of a macroblock and a block whose rows are 16 bytes apart. */
function squaresBetween(own: usize, stride: usize, block: usize): i32 {
  let sum = i32x4.splat(0);
  for (const end = block + 256; block < end; block += 16) {
    const low = v128.load_ext<u8>(block);
    const high = v128.load_ext<u8>(block, 8);
    sum = addSquares(sum, v128.load_ext<u8>(own), v128.load_ext<u8>(own, 8), low, high);
    own += stride;
  }
  return sumLanes32(sum);
}

/** Interpolates the block (fx, fy) quarter-pels from `at`: along its rows, then along its columns. */
function interpolateAt(to: usize, at: usize, stride: usize, fx: i32, fy: i32): void {
  if (fy == 0) return interpolateAlong(to, 16, at, stride, 1, tapsOf(fx));
  if (fx == 0) return interpolateAlong(to, 16, at, stride, stride, tapsOf(fy));
  interpolateAlong(rowsAround, 21, at - 2 * stride, stride, 1, tapsOf(fx));
  interpolateAlong(to, 16, rowsAround + 32, 16, 16, tapsOf(fy));
}

/** Makes the block at a place the match, if it lies in the plane and has a smaller SAD. */
function tryMatch(own: usize, plane: usize, width: i32, height: i32, x: i32, y: i32): void {
  if (x == matchX && y == matchY) return;
  if (x < 0 || y < 0 || x + 16 > width || y + 16 > height) return;
  const stride = <usize>width;
  if (matchSad < 0) matchSad = sad16x16(own, stride, plane + <usize>(matchY * width + matchX), stride);
  const sad = sad16x16(own, stride, plane + <usize>(y * width + x), stride);
  if (sad >= matchSad) return;
  matchX = x;
  matchY = y;
  matchSad = sad;
}

/** The x or y of the match of a macroblock at `at` by the vector component at `pointer`. */
// @ts-ignore: decorator
@inline
function matchOf(at: i32, pointer: usize, sign: i32): i32 {
  return at + sign * <i32>load<i16>(pointer);
}

/**
 * Finds the match of the macroblock whose first pel is (`blockX`, `blockY`) in a reference: by its own vector, or at
 * its own place where that vector leads out of the plane, or by the vector of a macroblock to its left or right, above
 * or below. `dx` and `dy` point to its vector; `reference` is 4 times the number of the reference.
 */
function findMatch(job: TemporalFilter, reference: usize, own: usize, blockX: i32, blockY: i32, dx: usize, dy: usize): void {
  const width = 16 * job.mbWidth;
  const height = 16 * job.mbHeight;
  const plane = load<usize>(job.planes + reference);
  const sign = load<i32>(job.signs + reference);
  matchX = matchOf(blockX, dx, sign);
  matchY = matchOf(blockY, dy, sign);
  matchSad = -1;
  if (matchX < 0 || matchY < 0 || matchX + 16 > width || matchY + 16 > height) {
    matchX = blockX;
    matchY = blockY;
  }
  const row = <usize>(2 * job.mbWidth);
  if (blockX > 0) tryMatch(own, plane, width, height, matchOf(blockX, dx - 2, sign), matchOf(blockY, dy - 2, sign));
  if (blockX + 16 < width) tryMatch(own, plane, width, height, matchOf(blockX, dx + 2, sign), matchOf(blockY, dy + 2, sign));
  if (blockY > 0) tryMatch(own, plane, width, height, matchOf(blockX, dx - row, sign), matchOf(blockY, dy - row, sign));
  if (blockY + 16 < height) tryMatch(own, plane, width, height, matchOf(blockX, dx + row, sign), matchOf(blockY, dy + row, sign));
}

/** 1 - squares / maxSquares in 2^-15 units, rounded up; squares are fewer. In two steps, which fit 32 bits. */
function nearnessOf(squares: u32, maxSquares: u32): u32 {
  const whole = (squares << 8) / maxSquares;
  const rest = (squares << 8) - whole * maxSquares;
  return (1 << 15) - ((whole << 7) + (rest << 7) / maxSquares);
}

export function filterLumaRow(job: TemporalFilter, mbY: i32): void {
  const width = 16 * job.mbWidth;
  const height = 16 * job.mbHeight;
  const stride = <usize>width;
  const references = <usize>job.count << 2;
  const blockY = 16 * mbY;
  let vector = <usize>(2 * mbY * job.mbWidth);
  for (let blockX = 0; blockX < width; blockX += 16, vector += 2) {
    const place = <usize>(blockY * width + blockX);
    const own = job.current + place;
    let end = weighed;
    for (let reference: usize = 0; reference < references; reference += 4) {
      const dx = load<usize>(job.dx + reference) + vector;
      findMatch(job, reference, own, blockX, blockY, dx, load<usize>(job.dy + reference) + vector);
      const x = matchX;
      const y = matchY;
      let block = load<usize>(job.planes + reference) + <usize>(y * width + x);
      let blockStride = stride;
      const hasBeside = x > 0 && x + 16 < width;
      const hasBeyond = y > 0 && y + 16 < height;
      compareAround(own, block, stride, hasBeside ? 1 : 0, hasBeyond ? stride : 0);
      const fx = hasBeside ? lowestQuarter(left, right) : 0;
      const fy = hasBeyond ? lowestQuarter(above, below) : 0;
      let squares = here;
      if ((fx | fy) != 0 && isInside(x + (fx >> 2), fx, width) && isInside(y + (fy >> 2), fy, height)) {
        const to = between + (reference << 6);
        interpolateAt(to, block + <usize>((fy >> 2) * width + (fx >> 2)), stride, fx, fy);
        const nearer = squaresBetween(own, stride, to);
        if (nearer < squares) {
          squares = nearer;
          block = to;
          blockStride = 16;
        }
      }
      if (squares >= job.maxSquares) continue;
      const nearness = nearnessOf(squares, job.maxSquares);
      store<usize>(end, block);
      store<usize>(end, blockStride, 4);
      store<i16>(end, <i16>((((nearness * nearness) >> 15) * load<u32>(job.strengths + reference)) >> 15), 8);
      end += WEIGHED_BYTES;
    }
    weighIn(job, job.target + place, own, stride, end);
  }
}
