// The places of a row where a pattern occurs: sixteen neighbouring places at a time.
import { PatternSearch } from '../../generated/records';
import { absoluteDifference } from '../../lanes';
import { scratch } from '../../scratch';

/** Places that are compared side by side, one to a byte. */
const PLACES = 16;
/** Samples after which the sums are compared with the limit; 16 and 48 were slower. 16 bits hold the sums of 257. */
const PORTION = 32;

/** The sums of sixteen places, i32. */
const sums: usize = scratch(4 * PLACES);

/** Eight sums of absolute differences of a portion, u16, added to two vectors of four sums at `at`. */
// @ts-ignore: decorator
@inline
function addPortion(at: usize, portion: v128): void {
  v128.store(at, i32x4.add(v128.load(at), i32x4.extend_low_i16x8_u(portion)));
  v128.store(at, i32x4.add(v128.load(at, 16), i32x4.extend_high_i16x8_u(portion)), 16);
}

/** Bits of the sixteen places whose sums are within `limit`. */
// @ts-ignore: decorator
@inline
function within(limit: i32): i32 {
  const limits = i32x4.splat(limit);
  const first = i16x8.narrow_i32x4_s(i32x4.le_s(v128.load(sums), limits), i32x4.le_s(v128.load(sums, 16), limits));
  const last = i16x8.narrow_i32x4_s(i32x4.le_s(v128.load(sums, 32), limits), i32x4.le_s(v128.load(sums, 48), limits));
  return i8x16.bitmask(i8x16.narrow_i16x8_s(first, last));
}

/** |pel - sample i| at sixteen places. */
// @ts-ignore: decorator
@inline
function differencesOf(place: usize, offsets: usize, values: usize, i: i32): v128 {
  const pels = v128.load(place + load<i32>(offsets + (<usize>i << 2)));
  return absoluteDifference(pels, v128.load8_splat(values + i));
}

/** a + b of the first eight unsigned bytes, u16. */
// @ts-ignore: decorator
@inline
function pairSumsLow(a: v128, b: v128): v128 {
  const beside = v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  return i16x8.extadd_pairwise_i8x16_u(beside);
}

/** The same of the last eight. */
// @ts-ignore: decorator
@inline
function pairSumsHigh(a: v128, b: v128): v128 {
  const beside = v128.shuffle<u8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  return i16x8.extadd_pairwise_i8x16_u(beside);
}

/** Adds up the differences at the sixteen places from `place` on, until all are beyond the limit. Returns `within`. */
// @ts-ignore: decorator
@inline
function compare(search: PatternSearch, place: usize): i32 {
  const samples = search.samples;
  const limit = search.limit;
  const offsets = search.offsets;
  const values = search.values;
  const zero = i16x8.splat(0);
  for (let at = 0; at < 64; at += 16) v128.store(sums + at, zero);
  let lanes = 0xffff;
  for (let i = 0; i < samples && lanes != 0; ) {
    const end = min(i + PORTION, samples);
    let low = zero;
    let high = zero;
    // Two samples at a time: their differences beside each other are added in one step.
    for (; i + 1 < end; i += 2) {
      const first = differencesOf(place, offsets, values, i);
      const second = differencesOf(place, offsets, values, i + 1);
      low = i16x8.add(low, pairSumsLow(first, second));
      high = i16x8.add(high, pairSumsHigh(first, second));
    }
    if (i < end) {
      const differences = differencesOf(place, offsets, values, i++);
      low = i16x8.add(low, i16x8.extend_low_i8x16_u(differences));
      high = i16x8.add(high, i16x8.extend_high_i8x16_u(differences));
    }
    addPortion(sums, low);
    addPortion(sums + 32, high);
    lanes = within(limit);
  }
  return lanes;
}

export function findInRow(search: PatternSearch, y: i32): i32 {
  const columns = search.columns;
  const row = search.planes + <usize>(y * search.stride);
  const found = search.found;
  let count = 0;
  for (let x = 0; x < columns; x += PLACES) {
    let lanes = compare(search, row + x);
    if (columns - x < PLACES) lanes &= (1 << (columns - x)) - 1;
    while (lanes != 0) {
      const lane = ctz(lanes);
      lanes &= lanes - 1;
      const entry = found + (<usize>count << 3);
      store<i32>(entry, x + lane);
      store<i32>(entry, load<i32>(sums + (<usize>lane << 2)), 4);
      count++;
    }
  }
  return count;
}
