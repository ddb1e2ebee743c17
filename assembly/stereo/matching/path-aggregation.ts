// Path costs: the SIMD twin of src/stereo/matching/path-aggregation.ts, 16 disparities at a time.
import { StereoJob } from '../../generated/records';
import { PATHS_FROM_ROW_BEFORE } from '../../generated/tables';

/** The largest byte: no disparity has that path cost, and none beside the range is better. */
const NONE: u8 = 255;

/** P2 between the pels at two places. */
// @ts-ignore: decorator
@inline
function penalty(job: StereoJob, at: usize, neighbour: usize): v128 {
  const difference = <i32>load<u8>(job.left + at) - <i32>load<u8>(job.left + neighbour);
  return v128.load8_splat(job.p2 + <usize>abs(difference));
}

/**
 * L of 16 disparities. `same` are those of the pel before, `below` and `above` the vectors beside them. Sums that do
 * not fit a byte are worse than P2.
 */
// @ts-ignore: decorator
@inline
function pathCosts(costs: v128, below: v128, same: v128, above: v128, p1: v128, p2: v128, least: v128): v128 {
  const fromBelow = v128.shuffle<u8>(below, same, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
  const fromAbove = v128.shuffle<u8>(same, above, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  const step = v128.add_sat<u8>(v128.min<u8>(fromBelow, fromAbove), p1);
  return v128.add<i8>(costs, v128.min<u8>(v128.sub<i8>(v128.min<u8>(same, step), least), p2));
}

/** The least of 16 bytes, in all lanes. */
// @ts-ignore: decorator
@inline
function leastLane(v: v128): v128 {
  let least = v128.min<u8>(v, v128.shuffle<u64>(v, v, 1, 0));
  least = v128.min<u8>(least, v128.shuffle<u32>(least, least, 1, 0, 3, 2));
  least = v128.min<u8>(least, v128.shuffle<u16>(least, least, 1, 0, 3, 2, 5, 4, 7, 6));
  return v128.min<u8>(least, v128.shuffle<u8>(least, least, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
}

export function aggregatePaths(job: StereoJob, backward: i32): void {
  const width = job.width;
  const height = job.height;
  const range = <usize>job.range;
  const pathBytes = <usize>width * range;
  const rowBytes = <usize>PATHS_FROM_ROW_BEFORE * pathBytes;
  const leastBytes = <usize>(PATHS_FROM_ROW_BEFORE * width);
  const forward = backward ? -1 : 1;
  const p1 = i8x16.splat(<u8>job.p1);
  const none = i8x16.splat(NONE);
  // The path costs before a path begins: all disparities are alike.
  const nowhere = job.work;
  memory.fill(nowhere, 0, range);
  for (let rows = 0; rows < height; rows++) {
    const y = backward ? height - 1 - rows : rows;
    const own = <usize>(rows & 1);
    const other = own ^ 1;
    let leastAlong = i8x16.splat(0);
    for (let columns = 0; columns < width; columns++) {
      const x = backward ? width - 1 - columns : columns;
      const at = <usize>(y * width + x);
      const above = at - <usize>(forward * width);
      const hasRow = rows > 0;
      const hasFirst = hasRow && x - forward >= 0 && x - forward < width;
      const hasThird = hasRow && x + forward >= 0 && x + forward < width;
      const rowsBefore = job.pathRows + other * rowBytes;
      const leastsBefore = job.pathLeasts + other * leastBytes;
      const firstAt = <usize>(x - forward);
      const thirdAt = <usize>(width * 2 + x + forward);
      const before0 = columns > 0 ? job.rowPath + <usize>((columns & 1) ^ 1) * range : nowhere;
      const before1 = hasFirst ? rowsBefore + firstAt * range : nowhere;
      const before2 = hasRow ? rowsBefore + pathBytes + <usize>x * range : nowhere;
      const before3 = hasThird ? rowsBefore + thirdAt * range : nowhere;
      const zero = i8x16.splat(0);
      const least1 = hasFirst ? v128.load8_splat(leastsBefore + firstAt) : zero;
      const least2 = hasRow ? v128.load8_splat(leastsBefore + <usize>(width + x)) : zero;
      const least3 = hasThird ? v128.load8_splat(leastsBefore + thirdAt) : zero;
      const p20 = columns > 0 ? penalty(job, at, at - forward) : zero;
      const p21 = hasFirst ? penalty(job, at, above - forward) : zero;
      const p22 = hasRow ? penalty(job, at, above) : zero;
      const p23 = hasThird ? penalty(job, at, above + forward) : zero;
      const target0 = job.rowPath + <usize>(columns & 1) * range;
      const target1 = job.pathRows + own * rowBytes + <usize>x * range;
      const target2 = target1 + pathBytes;
      const target3 = target2 + pathBytes;
      const costs = job.matchingCosts + at * range;
      const sums = job.pathSums + ((at * range) << 1);
      let newLeast0 = none;
      let newLeast1 = none;
      let newLeast2 = none;
      let newLeast3 = none;
      let below0 = none;
      let below1 = none;
      let below2 = none;
      let below3 = none;
      let same0 = v128.load(before0);
      let same1 = v128.load(before1);
      let same2 = v128.load(before2);
      let same3 = v128.load(before3);
      for (let d: usize = 0; d < range; d += 16) {
        const cost = v128.load(costs + d);
        const isLast = d + 16 >= range;
        const above0 = isLast ? none : v128.load(before0 + d, 16);
        const above1 = isLast ? none : v128.load(before1 + d, 16);
        const above2 = isLast ? none : v128.load(before2 + d, 16);
        const above3 = isLast ? none : v128.load(before3 + d, 16);
        const path0 = pathCosts(cost, below0, same0, above0, p1, p20, leastAlong);
        const path1 = pathCosts(cost, below1, same1, above1, p1, p21, least1);
        const path2 = pathCosts(cost, below2, same2, above2, p1, p22, least2);
        const path3 = pathCosts(cost, below3, same3, above3, p1, p23, least3);
        below0 = same0;
        below1 = same1;
        below2 = same2;
        below3 = same3;
        same0 = above0;
        same1 = above1;
        same2 = above2;
        same3 = above3;
        newLeast0 = v128.min<u8>(newLeast0, path0);
        newLeast1 = v128.min<u8>(newLeast1, path1);
        newLeast2 = v128.min<u8>(newLeast2, path2);
        newLeast3 = v128.min<u8>(newLeast3, path3);
        v128.store(target0 + d, path0);
        v128.store(target1 + d, path1);
        v128.store(target2 + d, path2);
        v128.store(target3 + d, path3);
        let low = i16x8.add(
          i16x8.add(v128.extend_low<u8>(path0), v128.extend_low<u8>(path1)),
          i16x8.add(v128.extend_low<u8>(path2), v128.extend_low<u8>(path3)),
        );
        let high = i16x8.add(
          i16x8.add(v128.extend_high<u8>(path0), v128.extend_high<u8>(path1)),
          i16x8.add(v128.extend_high<u8>(path2), v128.extend_high<u8>(path3)),
        );
        const sum = sums + (d << 1);
        if (backward) {
          low = i16x8.add(low, v128.load(sum));
          high = i16x8.add(high, v128.load(sum, 16));
        }
        v128.store(sum, low);
        v128.store(sum, high, 16);
      }
      leastAlong = leastLane(newLeast0);
      const leasts = job.pathLeasts + own * leastBytes + <usize>x;
      v128.store8_lane(leasts, leastLane(newLeast1), 0);
      v128.store8_lane(leasts + <usize>width, leastLane(newLeast2), 0);
      v128.store8_lane(leasts + <usize>(2 * width), leastLane(newLeast3), 0);
    }
  }
}
