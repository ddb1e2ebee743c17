// Takes single outliers out of both maps: the median of each 3x3 neighbourhood.
//
// One thread makes one entry; the third dimension is the picture, 0 left, 1 right.

/** As stereo_selection makes them. */
@group(0) @binding(1) var<storage, read> disparities: array<i32>;
/** The filtered ones in the same order. */
@group(0) @binding(2) var<storage, read_write> medians: array<i32>;

/** Threads of a workgroup, side by side. */
const GROUP_PELS = 64u;

/** Three entries of a column in order: the least, the middle one, the largest. */
fn sorted_column(side: u32, x: i32, y: i32) -> vec3i {
  let first = side * parameters.height * parameters.width + inside(x, parameters.width);
  let a = disparities[first + inside(y - 1, parameters.height) * parameters.width];
  let b = disparities[first + u32(y) * parameters.width];
  let c = disparities[first + inside(y + 1, parameters.height) * parameters.width];
  return vec3i(min(min(a, b), c), middle(a, b, c), max(max(a, b), c));
}

fn middle(a: i32, b: i32, c: i32) -> i32 {
  return max(min(a, b), min(max(a, b), c));
}

@compute @workgroup_size(GROUP_PELS)
fn stereo_median(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= parameters.width) {
    return;
  }
  let a = sorted_column(id.z, i32(id.x) - 1, i32(id.y));
  let b = sorted_column(id.z, i32(id.x), i32(id.y));
  let c = sorted_column(id.z, i32(id.x) + 1, i32(id.y));
  let largestLeast = max(max(a.x, b.x), c.x);
  let middleMiddle = middle(a.y, b.y, c.y);
  let leastLargest = min(min(a.z, b.z), c.z);
  let index = (id.z * parameters.height + id.y) * parameters.width + id.x;
  medians[index] = middle(largestLeast, middleMiddle, leastLargest);
}
