// Finds what the right picture does not show, and fills it with what lies behind. One thread makes one pel.

/** 1: what is unknown is filled; 0: it stays unknown. */
override FILL: u32;

/** As stereo_median makes them. */
@group(0) @binding(1) var<storage, read> medians: array<i32>;
/** The result for the left picture: a disparity in the low half, 1 in the high half where it was seen in both. */
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

/** Threads of a workgroup, side by side. */
const GROUP_PELS = 64u;
/** Two disparities of one thing differ by at most so much, in sixteenths. */
const DISPARITY_TOLERANCE = 16u;

/** The disparity of a left pel if the right picture confirms it, else UNKNOWN. */
fn checked(row: u32, x: i32) -> i32 {
  let left = medians[row + u32(x)];
  let matchX = x - ((left + 8) >> 4u);
  if (matchX < 0) {
    return UNKNOWN;
  }
  let right = medians[parameters.width * parameters.height + row + u32(matchX)];
  return select(UNKNOWN, left, u32(abs(right - left)) <= DISPARITY_TOLERANCE);
}

/** The smaller one of the nearest known disparities to the left and to the right; 0 where the row knows none. */
fn filling(row: u32, x: i32) -> i32 {
  var before = UNKNOWN;
  for (var at = x - 1; at >= 0 && before == UNKNOWN; at--) {
    before = checked(row, at);
  }
  var after = UNKNOWN;
  for (var at = x + 1; at < i32(parameters.width) && after == UNKNOWN; at++) {
    after = checked(row, at);
  }
  if (before == UNKNOWN) {
    return max(after, 0);
  }
  return select(min(before, after), before, after == UNKNOWN);
}

@compute @workgroup_size(GROUP_PELS)
fn stereo_occlusions(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= parameters.width) {
    return;
  }
  let row = id.y * parameters.width;
  let disparity = checked(row, i32(id.x));
  if (disparity != UNKNOWN) {
    result[row + id.x] = u32(disparity) | 0x10000u;
  } else if (FILL == 1u) {
    result[row + id.x] = u32(filling(row, i32(id.x)));
  } else {
    result[row + id.x] = 0xffffu;
  }
}
