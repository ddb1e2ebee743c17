// Median of 3x3 disparities: the SIMD twin of src/stereo/matching/median-filter.ts, eight at a time.
import { StereoJob } from '../../generated/records';

/** Rows of a neighbourhood. */
const ROWS = 3;
/** Entries on each side of a row: its edge repeated, and room for whole vectors. */
const SLACK = 8;

/**
 * Where entry 0 of row `y` lies. The rows of a neighbourhood, with their edges repeated, follow each other; row y is at
 * y % ROWS.
 */
// @ts-ignore: decorator
@inline
function rowAt(job: StereoJob, y: i32): usize {
  return job.work + (<usize>(((y + ROWS) % ROWS) * (job.width + 2 * SLACK) + SLACK) << 1);
}

/** Copies row `y`, or the edge row where it is outside, and repeats its edges. */
function loadRow(job: StereoJob, map: usize, y: i32): void {
  const bytes = <usize>job.width << 1;
  const from = map + <usize>min(max(y, 0), job.height - 1) * bytes;
  const to = rowAt(job, y);
  memory.copy(to, from, bytes);
  store<i16>(to - 2, load<i16>(from));
  store<i16>(to + bytes, load<i16>(from + bytes - 2));
}

/** The middle one of three, lane by lane. */
// @ts-ignore: decorator
@inline
function middle(a: v128, b: v128, c: v128): v128 {
  return v128.max<i16>(v128.min<i16>(a, b), v128.min<i16>(v128.max<i16>(a, b), c));
}

// @ts-ignore: decorator
@inline
function least(a: v128, b: v128, c: v128): v128 {
  return v128.min<i16>(v128.min<i16>(a, b), c);
}

// @ts-ignore: decorator
@inline
function largest(a: v128, b: v128, c: v128): v128 {
  return v128.max<i16>(v128.max<i16>(a, b), c);
}

export function filterDisparities(job: StereoJob, side: i32): void {
  const map = side ? job.rightDisparities : job.leftDisparities;
  const width = job.width;
  loadRow(job, map, -1);
  loadRow(job, map, 0);
  for (let y = 0; y < job.height; y++) {
    loadRow(job, map, y + 1);
    const to = map + (<usize>(y * width) << 1);
    for (let x = 0; x < width; x += 8) {
      const at = <usize>x << 1;
      const median = medianAt(rowAt(job, y - 1) + at, rowAt(job, y) + at, rowAt(job, y + 1) + at);
      if (width - x >= 8) v128.store(to + at, median);
      else storeSome(to + at, median, width - x);
    }
  }
}

/**
 * The medians at eight entries; the pointers are to those above, to them and to those below. With each column in order,
 * the median of nine is the middle one of three: the largest of the least, the middle of the middle ones, the least of
 * the largest.
 */
// @ts-ignore: decorator
@inline
function medianAt(top: usize, centre: usize, bottom: usize): v128 {
  const top0 = v128.load(top - 2);
  const top1 = v128.load(top);
  const top2 = v128.load(top + 2);
  const centre0 = v128.load(centre - 2);
  const centre1 = v128.load(centre);
  const centre2 = v128.load(centre + 2);
  const bottom0 = v128.load(bottom - 2);
  const bottom1 = v128.load(bottom);
  const bottom2 = v128.load(bottom + 2);
  const largestLeast = v128.max<i16>(
    least(top0, centre0, bottom0),
    v128.max<i16>(least(top1, centre1, bottom1), least(top2, centre2, bottom2)),
  );
  const middleMiddle = middle(
    middle(top0, centre0, bottom0),
    middle(top1, centre1, bottom1),
    middle(top2, centre2, bottom2),
  );
  const leastLargest = v128.min<i16>(
    largest(top0, centre0, bottom0),
    v128.min<i16>(largest(top1, centre1, bottom1), largest(top2, centre2, bottom2)),
  );
  return middle(largestLeast, middleMiddle, leastLargest);
}

/** Stores the first `count` of eight entries. */
// @ts-ignore: decorator
@inline
function storeSome(to: usize, entries: v128, count: i32): void {
  let rest = entries;
  for (let i = 0; i < count; i++) {
    v128.store16_lane(to + (<usize>i << 1), rest, 0);
    rest = v128.shuffle<u16>(rest, rest, 1, 2, 3, 4, 5, 6, 7, 0);
  }
}
