// Occlusions: the twin of src/stereo/matching/occlusions.ts.
import { StereoJob } from '../../generated/records';
import { DISPARITY_TOLERANCE, UNKNOWN_DISPARITY } from '../../generated/tables';

export function checkDisparities(job: StereoJob, row: i32): void {
  const width = job.width;
  const left = job.leftDisparities + (<usize>(row * width) << 1);
  const right = job.rightDisparities + (<usize>(row * width) << 1);
  for (let x = 0; x < width; x++) {
    const at = left + (<usize>x << 1);
    const disparity = <i32>load<i16>(at);
    const match = x - ((disparity + 8) >> 4);
    const isSeen = match >= 0 && abs(<i32>load<i16>(right + (<usize>match << 1)) - disparity) <= DISPARITY_TOLERANCE;
    if (!isSeen) store<i16>(at, <i16>UNKNOWN_DISPARITY);
  }
}

export function fillDisparities(job: StereoJob, row: i32): void {
  const width = job.width;
  const disparities = job.leftDisparities + (<usize>(row * width) << 1);
  let before = UNKNOWN_DISPARITY;
  for (let x = 0; x < width; ) {
    const known = <i32>load<i16>(disparities + (<usize>x << 1));
    if (known != UNKNOWN_DISPARITY) {
      before = known;
      x++;
      continue;
    }
    let end = x;
    let after = UNKNOWN_DISPARITY;
    for (; end < width && after == UNKNOWN_DISPARITY; end++) after = <i32>load<i16>(disparities + (<usize>end << 1));
    if (after != UNKNOWN_DISPARITY) end--;
    const filling = before == UNKNOWN_DISPARITY ? max(after, 0) : after == UNKNOWN_DISPARITY ? before : min(before, after);
    for (; x < end; x++) store<i16>(disparities + (<usize>x << 1), <i16>filling);
  }
}
