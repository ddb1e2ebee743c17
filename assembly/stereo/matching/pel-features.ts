// Census and interval of each pel: the SIMD twin of src/stereo/matching/pel-features.ts.
import { StereoJob } from '../../generated/records';

/** Rows of a neighbourhood. */
const ROWS = 5;
/** Bytes on each side of a row: two pels of the neighbourhood to its left, the rest for whole vectors. */
const SLACK = 16;

/**
 * Where pel 0 of row `y` lies. The rows of a neighbourhood, with their edges repeated, follow each other; row y is at
 * y % ROWS.
 */
// @ts-ignore: decorator
@inline
function rowAt(job: StereoJob, y: i32): usize {
  return job.work + <usize>(((y + ROWS) % ROWS) * (job.width + 2 * SLACK) + SLACK);
}

/** Copies row `y`, or the edge row where it is outside, and repeats its edges. */
function loadRow(job: StereoJob, plane: usize, y: i32): void {
  const width = job.width;
  const source = plane + <usize>(min(max(y, 0), job.height - 1) * width);
  const target = rowAt(job, y);
  memory.copy(target, source, width);
  memory.fill(target - 2, load<u8>(source), 2);
  memory.fill(target + width, load<u8>(source + width - 1), 2);
}

/** Eight census bits to a byte: `bits` and one more, set where 16 neighbours are brighter than their centres. */
// @ts-ignore: decorator
@inline
function withBit(bits: v128, neighbours: usize, centres: v128): v128 {
  // A byte of 255 counts as -1.
  return v128.sub<i8>(v128.add<i8>(bits, bits), v128.gt<u8>(v128.load(neighbours), centres));
}

export function describePels(job: StereoJob, side: i32): void {
  const plane = side ? job.right : job.left;
  const census = side ? job.rightCensus : job.leftCensus;
  const low = side ? job.rightLow : job.leftLow;
  const high = side ? job.rightHigh : job.leftHigh;
  const width = job.width;
  for (let y = -2; y < 2; y++) loadRow(job, plane, y);
  for (let y = 0; y < job.height; y++) {
    loadRow(job, plane, y + 2);
    for (let x = 0; x < width; x += 16) {
      const at = <usize>x;
      const room = min(width - x, 16);
      const place = <usize>(y * width) + at;
      describeSixteen(job, y, at, census + (place << 2), room);
      const row = rowAt(job, y) + at;
      const centres = v128.load(row);
      const toLeft = v128.avgr<u8>(centres, v128.load(row - 1));
      const toRight = v128.avgr<u8>(centres, v128.load(row + 1));
      storeBytes(low + place, v128.min<u8>(centres, v128.min<u8>(toLeft, toRight)), room);
      storeBytes(high + place, v128.max<u8>(centres, v128.max<u8>(toLeft, toRight)), room);
    }
  }
}

/** The censuses of the pels from `at` on in row `y`, 16 or `room`. */
// @ts-ignore: decorator
@inline
function describeSixteen(job: StereoJob, y: i32, at: usize, to: usize, room: i32): void {
  const row0 = rowAt(job, y - 2) + at;
  const row1 = rowAt(job, y - 1) + at;
  const row2 = rowAt(job, y) + at;
  const row3 = rowAt(job, y + 1) + at;
  const row4 = rowAt(job, y + 2) + at;
  const centres = v128.load(row2);
  let first = i8x16.splat(0);
  let second = i8x16.splat(0);
  let third = i8x16.splat(0);
  for (let dx = -2; dx <= 2; dx++) first = withBit(first, row0 + dx, centres);
  for (let dx = -2; dx <= 0; dx++) first = withBit(first, row1 + dx, centres);
  for (let dx = 1; dx <= 2; dx++) second = withBit(second, row1 + dx, centres);
  for (let dx = -2; dx <= 2; dx++) if (dx != 0) second = withBit(second, row2 + dx, centres);
  for (let dx = -2; dx <= -1; dx++) second = withBit(second, row3 + dx, centres);
  for (let dx = 0; dx <= 2; dx++) third = withBit(third, row3 + dx, centres);
  for (let dx = -2; dx <= 2; dx++) third = withBit(third, row4 + dx, centres);
  const zero = i8x16.splat(0);
  const low0 = v128.shuffle<u8>(third, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const low1 = v128.shuffle<u8>(third, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const high0 = v128.shuffle<u8>(first, zero, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const high1 = v128.shuffle<u8>(first, zero, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  storeWords(to, v128.shuffle<u16>(low0, high0, 0, 8, 1, 9, 2, 10, 3, 11), room);
  storeWords(to + 16, v128.shuffle<u16>(low0, high0, 4, 12, 5, 13, 6, 14, 7, 15), room - 4);
  storeWords(to + 32, v128.shuffle<u16>(low1, high1, 0, 8, 1, 9, 2, 10, 3, 11), room - 8);
  storeWords(to + 48, v128.shuffle<u16>(low1, high1, 4, 12, 5, 13, 6, 14, 7, 15), room - 12);
}

/** Stores four words, or the `room` first ones. */
// @ts-ignore: decorator
@inline
function storeWords(to: usize, words: v128, room: i32): void {
  if (room >= 4) {
    v128.store(to, words);
    return;
  }
  if (room > 0) v128.store32_lane(to, words, 0);
  if (room > 1) v128.store32_lane(to + 4, words, 1);
  if (room > 2) v128.store32_lane(to + 8, words, 2);
}

/** Stores 16 bytes, or the `room` first ones. */
// @ts-ignore: decorator
@inline
function storeBytes(to: usize, bytes: v128, room: i32): void {
  if (room == 16) {
    v128.store(to, bytes);
    return;
  }
  let rest = bytes;
  for (let i = 0; i < room; i++) {
    v128.store8_lane(to + i, rest, 0);
    rest = v128.shuffle<u8>(rest, rest, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0);
  }
}
