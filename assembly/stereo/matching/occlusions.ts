// Occlusions: the twin of src/stereo/matching/occlusions.ts.
import { StereoJob } from '../../generated/records';

/** As in src/kernels/records/stereo-job.ts and in the twin. */
const UNKNOWN: i32 = -1;
const TOLERANCE = 16;

export function checkDisparities(pointer: usize, row: i32): void {
  const job = changetype<StereoJob>(pointer);
  const width = job.width;
  const left = job.leftDisparities + (<usize>(row * width) << 1);
  const right = job.rightDisparities + (<usize>(row * width) << 1);
  for (let x = 0; x < width; x++) {
    const at = left + (<usize>x << 1);
    const disparity = <i32>load<i16>(at);
    const match = x - ((disparity + 8) >> 4);
    const isSeen = match >= 0 && abs(<i32>load<i16>(right + (<usize>match << 1)) - disparity) <= TOLERANCE;
    if (!isSeen) store<i16>(at, <i16>UNKNOWN);
  }
}

export function fillDisparities(pointer: usize, row: i32): void {
  const job = changetype<StereoJob>(pointer);
  const width = job.width;
  const disparities = job.leftDisparities + (<usize>(row * width) << 1);
  let before = UNKNOWN;
  for (let x = 0; x < width; ) {
    const known = <i32>load<i16>(disparities + (<usize>x << 1));
    if (known != UNKNOWN) {
      before = known;
      x++;
      continue;
    }
    let end = x;
    let after = UNKNOWN;
    for (; end < width && after == UNKNOWN; end++) after = <i32>load<i16>(disparities + (<usize>end << 1));
    if (after != UNKNOWN) end--;
    const filling = before == UNKNOWN ? max(after, 0) : after == UNKNOWN ? before : min(before, after);
    for (; x < end; x++) store<i16>(disparities + (<usize>x << 1), <i16>filling);
  }
}
