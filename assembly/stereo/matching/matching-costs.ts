// Costs of matches: the SIMD twin of src/stereo/matching/matching-costs.ts, 16 disparities at a time.
import { StereoJob } from '../../generated/records';
import { CENSUS_COST, INTERVAL_COST, MAX_INTERVAL_COST, OUTSIDE_COST } from '../../generated/tables';

/**
 * The right row from right to left, so that the matches of a pel lie in the order of disparities: four arrays at
 * `work`, as long as the row and a range.
 */
// @ts-ignore: decorator
@inline
function reversedLength(job: StereoJob): usize {
  return <usize>(job.width + job.range);
}
// @ts-ignore: decorator
@inline
function reversedPels(job: StereoJob): usize {
  return job.work + 4 * reversedLength(job);
}
// @ts-ignore: decorator
@inline
function reversedLows(job: StereoJob): usize {
  return job.work + 5 * reversedLength(job);
}
// @ts-ignore: decorator
@inline
function reversedHighs(job: StereoJob): usize {
  return job.work + 6 * reversedLength(job);
}

/** Writes the reversed row. */
function reverseRow(job: StereoJob, row: i32): void {
  const width = job.width;
  for (let x = 0; x < width; x++) {
    const from = <usize>(row * width + x);
    const to = <usize>(width - 1 - x);
    store<u32>(job.work + (to << 2), load<u32>(job.rightCensus + (from << 2)));
    store<u8>(reversedPels(job) + to, load<u8>(job.right + from));
    store<u8>(reversedLows(job) + to, load<u8>(job.rightLow + from));
    store<u8>(reversedHighs(job) + to, load<u8>(job.rightHigh + from));
  }
}

export function matchingCosts(job: StereoJob, row: i32): void {
  const width = job.width;
  const range = job.range;
  const first = <usize>(row * width);
  reverseRow(job, row);
  const costs = job.costs;
  let target = job.matchingCosts + first * <usize>range;
  for (let x = 0; x < width; x++) {
    const left = first + <usize>x;
    const reversed = <usize>(width - 1 - x);
    const inside = min(range, x + 1);
    if (costs == (CENSUS_COST | INTERVAL_COST)) {
      for (let d = 0; d < inside; d += 16) {
        const match = reversed + <usize>d;
        v128.store(target + d, v128.add<i8>(censusCosts(job, left, match), intervalCosts(job, left, match)));
      }
    } else if (costs == CENSUS_COST) {
      for (let d = 0; d < inside; d += 16) v128.store(target + d, censusCosts(job, left, reversed + <usize>d));
    } else {
      for (let d = 0; d < inside; d += 16) v128.store(target + d, intervalCosts(job, left, reversed + <usize>d));
    }
    if (inside < range) memory.fill(target + inside, <u8>OUTSIDE_COST, range - inside);
    target += range;
  }
}

/** Bits in which the census of a left pel differs from those of 16 matches, `match` the first in the reversed row. */
// @ts-ignore: decorator
@inline
function censusCosts(job: StereoJob, left: usize, match: usize): v128 {
  const census = v128.load32_splat(job.leftCensus + (left << 2));
  const at = job.work + (match << 2);
  const low = i16x8.narrow_i32x4_u(differentBits(census, at), differentBits(census, at + 16));
  const high = i16x8.narrow_i32x4_u(differentBits(census, at + 32), differentBits(census, at + 48));
  return i8x16.narrow_i16x8_u(low, high);
}

/** The number of bits in which four words differ from those at `at`. */
// @ts-ignore: decorator
@inline
function differentBits(census: v128, at: usize): v128 {
  const counts = i8x16.popcnt(v128.xor(census, v128.load(at)));
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(counts));
}

/** Birchfield and Tomasi's measure of a left pel and 16 matches. */
// @ts-ignore: decorator
@inline
function intervalCosts(job: StereoJob, left: usize, match: usize): v128 {
  const leftPel = v128.load8_splat(job.left + left);
  const rightPels = v128.load(reversedPels(job) + match);
  const leftOutside = v128.or(
    v128.sub_sat<u8>(leftPel, v128.load(reversedHighs(job) + match)),
    v128.sub_sat<u8>(v128.load(reversedLows(job) + match), leftPel),
  );
  const rightOutside = v128.or(
    v128.sub_sat<u8>(rightPels, v128.load8_splat(job.leftHigh + left)),
    v128.sub_sat<u8>(v128.load8_splat(job.leftLow + left), rightPels),
  );
  return v128.min<u8>(v128.min<u8>(leftOutside, rightOutside), i8x16.splat(<u8>MAX_INTERVAL_COST));
}
