// Prepares a plane for searching: half the resolution, and the sums of its blocks.
import { scratch } from '../../scratch';

/** A row after the vertical pass, u16, with one pel repeated to its left and at least two to its right. */
const MAX_WIDTH = 4096;
const filtered: usize = scratch((8 + MAX_WIDTH + 24) * 2);

/** a + b + c + d of eight u16 sums, the blocks `step` bytes apart in x, `down` bytes in y. */
// @ts-ignore: decorator
@inline
function quadruple(at: usize, step: usize, down: usize): v128 {
  return i16x8.add(
    i16x8.add(v128.load(at), v128.load(at + step)),
    i16x8.add(v128.load(at + down), v128.load(at + down + step)),
  );
}

/** Four pels of a row from each of eight places. */
// @ts-ignore: decorator
@inline
function fourPels(at: usize): v128 {
  return i16x8.add(
    i16x8.add(v128.load8x8_u(at), v128.load8x8_u(at, 1)),
    i16x8.add(v128.load8x8_u(at, 2), v128.load8x8_u(at, 3)),
  );
}

export function blockSums(sums4: usize, sums8: usize, sums16: usize, plane: usize, width: i32, height: i32): void {
  const stride = <usize>width << 1;
  for (let y = 0; y <= height - 4; y++) {
    for (let x = 0; x <= width - 4; x += 8) {
      const at = plane + <usize>(y * width + x);
      const top = i16x8.add(fourPels(at), fourPels(at + width));
      const bottom = i16x8.add(fourPels(at + 2 * width), fourPels(at + 3 * width));
      storeLanes(sums4 + <usize>((y * width + x) << 1), i16x8.add(top, bottom), width - x);
    }
  }
  for (let y = 0; y <= height - 8; y++) {
    for (let x = 0; x <= width - 8; x += 8) {
      const at = <usize>((y * width + x) << 1);
      storeLanes(sums8 + at, quadruple(sums4 + at, 8, 4 * stride), width - x);
    }
  }
  for (let y = 0; y <= height - 16; y++) {
    for (let x = 0; x <= width - 16; x += 8) {
      const at = <usize>((y * width + x) << 1);
      storeLanes(sums16 + at, quadruple(sums8 + at, 16, 8 * stride), width - x);
    }
  }
}

/** Stores eight u16, or the first four where a row ends. */
// @ts-ignore: decorator
@inline
function storeLanes(at: usize, values: v128, room: i32): void {
  if (room >= 8) v128.store(at, values);
  else v128.store64_lane(at, values, 0);
}

/** a + 3 b + 3 c + d. */
// @ts-ignore: decorator
@inline
function lowPass(a: v128, b: v128, c: v128, d: v128): v128 {
  return i16x8.add(i16x8.add(a, d), i16x8.mul(i16x8.add(b, c), i16x8.splat(3)));
}

/** The vertical pass over one row of results: rows 2y - 1 .. 2y + 2 into `filtered`, edges repeated. */
// @ts-ignore: decorator
@inline
function filterRows(source: usize, width: i32, height: i32, y: i32): void {
  const last = height - 1;
  const a = source + <usize>(max(2 * y - 1, 0) * width);
  const b = source + <usize>(2 * y * width);
  const c = source + <usize>(min(2 * y + 1, last) * width);
  const d = source + <usize>(min(2 * y + 2, last) * width);
  const row = filtered + 16;
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const sum = lowPass(v128.load8x8_u(a + x), v128.load8x8_u(b + x), v128.load8x8_u(c + x), v128.load8x8_u(d + x));
    v128.store(row + (x << 1), sum);
  }
  store<u16>(row - 2, load<u16>(row));
  const end = row + (<usize>width << 1);
  const edge = load<u16>(end - 2);
  store<u16>(end, edge);
  store<u16>(end + 2, edge);
}

/** Factors of two sums that lie side by side, four times: of those before a result, and of those after it. */
const BEFORE: usize = memory.data<i16>([1, 3, 1, 3, 1, 3, 1, 3], 16);
const AFTER: usize = memory.data<i16>([3, 1, 3, 1, 3, 1, 3, 1], 16);

/** Four results of the horizontal pass, i32, from the eight sums that begin at `at`. */
// @ts-ignore: decorator
@inline
function filterFour(at: usize): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(v128.load(at), v128.load(BEFORE)),
    i32x4.dot_i16x8_s(v128.load(at, 4), v128.load(AFTER)),
  );
  return i32x4.shr_u(i32x4.add(sum, i32x4.splat(32)), 6);
}

/** Eight results of the horizontal pass from column `x` on, u8 in the low half. */
// @ts-ignore: decorator
@inline
function filterColumns(x: i32): v128 {
  const at = filtered + 16 + <usize>((2 * x - 1) << 1);
  const results = i16x8.narrow_i32x4_s(filterFour(at), filterFour(at + 16));
  return i8x16.narrow_i16x8_u(results, results);
}

export function halvePlane(target: usize, source: usize, width: i32, height: i32): void {
  const targetWidth = width >> 1;
  for (let y = 0; y < height >> 1; y++) {
    filterRows(source, width, height, y);
    const row = target + <usize>(y * targetWidth);
    let x = 0;
    for (; x + 8 <= targetWidth; x += 8) v128.store64_lane(row + x, filterColumns(x), 0);
    if (x == targetWidth) continue;
    const rest = filterColumns(x);
    v128.store64_lane(filtered, rest, 0);
    for (let i = 0; x + i < targetWidth; i++) store<u8>(row + x + i, load<u8>(filtered + i));
  }
}
