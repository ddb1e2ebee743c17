// Disparities of the least sums: the SIMD twin of src/stereo/matching/disparity-selection.ts.
import { StereoJob } from '../../generated/records';

/** No sum is as large. */
const NO_SUM: i16 = i16.MAX_VALUE;

/**
 * At `work` lie the least sums of the pels of the right row, the rightmost pel first (u16); this far behind them, their
 * disparities (u16).
 */
// @ts-ignore: decorator
@inline
function disparitiesOffset(job: StereoJob): usize {
  return <usize>(2 * (job.width + job.range));
}

export function selectDisparities(job: StereoJob, row: i32): void {
  const width = job.width;
  const range = job.range;
  for (let x = 0; x < width + range; x += 8) v128.store(job.work + (<usize>x << 1), i16x8.splat(NO_SUM));
  const first = <usize>(row * width);
  for (let x = 0; x < width; x++) {
    const sums = job.pathSums + (((first + <usize>x) * <usize>range) << 1);
    const inside = min(range, x + 1);
    const left = leastOf(sums, inside);
    let disparity = left << 4;
    if (left > 0 && left < inside - 1) disparity += sixteenths(sums + (<usize>left << 1));
    store<i16>(job.leftDisparities + ((first + <usize>x) << 1), <i16>disparity);
    offerToRight(job, width - 1 - x, sums);
  }
  for (let x = 0; x < width; x++) {
    const best = load<u16>(job.work + disparitiesOffset(job) + (<usize>(width - 1 - x) << 1));
    store<i16>(job.rightDisparities + ((first + <usize>x) << 1), <i16>(best << 4));
  }
}

/** The first of the `count` sums that is the least. */
// @ts-ignore: decorator
@inline
function leastOf(sums: usize, count: i32): i32 {
  const whole = count & ~7;
  let least = i16x8.splat(-1);
  for (let d = 0; d < whole; d += 8) least = v128.min<u16>(least, v128.load(sums + (<usize>d << 1)));
  least = v128.min<u16>(least, v128.shuffle<u64>(least, least, 1, 0));
  least = v128.min<u16>(least, v128.shuffle<u32>(least, least, 1, 0, 3, 2));
  least = v128.min<u16>(least, v128.shuffle<u16>(least, least, 1, 0, 3, 2, 5, 4, 7, 6));
  let best = <i32>v128.extract_lane<u16>(least, 0);
  let rest = -1;
  for (let d = whole; d < count; d++) {
    const sum = <i32>load<u16>(sums + (<usize>d << 1));
    if (sum < best) {
      best = sum;
      rest = d;
    }
  }
  if (rest >= 0) return rest;
  let d = 0;
  let equal = 0;
  while ((equal = i16x8.bitmask(v128.eq<i16>(least, v128.load(sums + (<usize>d << 1))))) == 0) d += 8;
  return d + ctz(equal);
}

/** Offset of the parabola's lowest point in sixteenths; `sum` points to the least of the three sums. */
// @ts-ignore: decorator
@inline
function sixteenths(sum: usize): i32 {
  const least = <i32>load<u16>(sum);
  const a = <i32>load<u16>(sum - 2) - least;
  const c = <i32>load<u16>(sum + 2) - least;
  return a + c == 0 ? 0 : (33 * a + c) / (2 * (a + c)) - 8;
}

/** Each right pel keeps the best of the sums that left pels offer it. `place` is that of the one of disparity 0. */
// @ts-ignore: decorator
@inline
function offerToRight(job: StereoJob, place: i32, sums: usize): void {
  let disparities = i16x8(0, 1, 2, 3, 4, 5, 6, 7);
  let at = job.work + (<usize>place << 1);
  const offset = disparitiesOffset(job);
  for (let d = 0; d < job.range; d += 8) {
    const offered = v128.load(sums + (<usize>d << 1));
    const kept = v128.load(at);
    v128.store(at, v128.min<i16>(offered, kept));
    v128.store(at + offset, v128.bitselect(disparities, v128.load(at + offset), v128.lt<i16>(offered, kept)));
    disparities = i16x8.add(disparities, i16x8.splat(8));
    at += 16;
  }
}
