// Chooses the disparity of the least sum for each pel of both pictures. One thread makes one pel of each.

/** As stereo_sums makes them, two to a word. */
@group(0) @binding(1) var<storage, read> sums: array<u32>;
/** Disparities in sixteenths: those of the left picture, then those of the right one. */
@group(0) @binding(2) var<storage, read_write> disparities: array<i32>;

/** Threads of a workgroup, side by side. */
const GROUP_PELS = 64u;
/** Larger than any sum. */
const NO_SUM = 0xffffu;

/** The sum of a left pel and a disparity. */
fn sum_of(pel: u32, disparity: u32) -> u32 {
  let word = sums[(pel * parameters.range + disparity) / 2u];
  return (word >> (16u * (disparity & 1u))) & 0xffffu;
}

/** How far the lowest point of the parabola through three sums is from the middle one, in sixteenths: -8..8. */
fn sixteenths(before: u32, least: u32, after: u32) -> i32 {
  let a = before - least;
  let c = after - least;
  if (a + c == 0u) {
    return 0;
  }
  return i32((33u * a + c) / (2u * (a + c))) - 8;
}

@compute @workgroup_size(GROUP_PELS)
fn stereo_selection(@builtin(global_invocation_id) id: vec3u) {
  let x = id.x;
  if (x >= parameters.width) {
    return;
  }
  let pel = id.y * parameters.width + x;
  var left = 0u;
  var leftSum = NO_SUM;
  let leftCount = min(parameters.range, x + 1u);
  for (var disparity = 0u; disparity < leftCount; disparity++) {
    let sum = sum_of(pel, disparity);
    if (sum < leftSum) {
      leftSum = sum;
      left = disparity;
    }
  }
  var right = 0u;
  var rightSum = NO_SUM;
  for (var disparity = 0u; disparity < min(parameters.range, parameters.width - x); disparity++) {
    let sum = sum_of(pel + disparity, disparity);
    if (sum < rightSum) {
      rightSum = sum;
      right = disparity;
    }
  }
  var part = 0;
  if (left > 0u && left < leftCount - 1u) {
    part = sixteenths(sum_of(pel, left - 1u), leftSum, sum_of(pel, left + 1u));
  }
  disparities[pel] = 16 * i32(left) + part;
  disparities[parameters.width * parameters.height + pel] = 16 * i32(right);
}
