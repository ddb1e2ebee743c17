// Makes a level of a pyramid from the next finer level: half the width and half the height.
//
// The low-pass (1, 3, 3, 1) / 8 is applied along both axes, at the centres of 2x2 pels, with one rounding:
//
//     out(x, y) = (sum of w_i w_j p(2x - 1 + i, 2y - 1 + j) + 32) >> 6
//
// Outside the picture the pels of its edge are repeated. One thread makes one word of the coarser level: four pels.

struct HalvePictureParameters {
  /** Size of the finer level in pels. */
  width: u32,
  height: u32,
  /** Words in a row of the finer and of the coarser level. */
  finePitch: u32,
  coarsePitch: u32,
  /** First word of the finer and of the coarser level. */
  fineOffset: u32,
  coarseOffset: u32,
}

/** Size of the finer level, and where both levels lie in the pyramid. */
@group(0) @binding(0) var<uniform> parameters: HalvePictureParameters;
/** All levels of a picture, the finest first: pels, four to a word, row by row. */
@group(0) @binding(1) var<storage, read_write> pyramid: array<u32>;

/** Threads along each side of a workgroup: words across, rows down. */
const GROUP_SIDE = 8u;

/** The pel at (x, y) of the finer level. */
fn pel(x: i32, y: i32) -> u32 {
  let column = u32(clamp(x, 0, i32(parameters.width) - 1));
  let row = u32(clamp(y, 0, i32(parameters.height) - 1));
  let word = pyramid[parameters.fineOffset + row * parameters.finePitch + column / 4u];
  return (word >> (8u * (column & 3u))) & 0xffu;
}

/** The vertical filter at column `x`, over the rows `y - 1` to `y + 2`; eight times its result. */
fn column_sum(x: i32, y: i32) -> u32 {
  return pel(x, y - 1) + 3u * (pel(x, y) + pel(x, y + 1)) + pel(x, y + 2);
}

@compute @workgroup_size(GROUP_SIDE, GROUP_SIDE)
fn halve_picture(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= parameters.coarsePitch || id.y >= parameters.height / 2u) {
    return;
  }
  let x = 8 * i32(id.x);
  let y = 2 * i32(id.y);
  var word = 0u;
  var sums = vec2u(column_sum(x - 1, y), column_sum(x, y));
  for (var index = 0; index < 4; index++) {
    let next = vec2u(column_sum(x + 2 * index + 1, y), column_sum(x + 2 * index + 2, y));
    let total = sums.x + 3u * (sums.y + next.x) + next.y;
    word |= ((total + 32u) >> 6u) << (8u * u32(index));
    sums = next;
  }
  pyramid[parameters.coarseOffset + id.y * parameters.coarsePitch + id.x] = word;
}
