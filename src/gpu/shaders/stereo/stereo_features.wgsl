// Describes each pel of both pictures by the census of its neighbourhood and by the interval of its values.
//
// One thread describes one pel; the third dimension is the picture, 0 left, 1 right.

/** Pels of the left picture, then those of the right one, which starts at a whole word; four to a word. */
@group(0) @binding(1) var<storage, read> pels: array<u32>;
/** For each pel, left picture first: census | pel << 24, then low | high << 8. */
@group(0) @binding(2) var<storage, read_write> features: array<vec2u>;

/** Threads of a workgroup, side by side. */
const GROUP_PELS = 64u;

/** A pel of picture `side`; outside, the edge repeats. */
fn pel_at(side: u32, x: i32, y: i32) -> u32 {
  let index = inside(y, parameters.height) * parameters.width + inside(x, parameters.width);
  let words = (parameters.width * parameters.height + 3u) / 4u;
  return (pels[side * words + index / 4u] >> (8u * (index & 3u))) & 0xffu;
}

@compute @workgroup_size(GROUP_PELS)
fn stereo_features(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= parameters.width) {
    return;
  }
  let x = i32(id.x);
  let y = i32(id.y);
  let side = id.z;
  let centre = pel_at(side, x, y);
  var census = 0u;
  for (var dy = -2; dy <= 2; dy++) {
    for (var dx = -2; dx <= 2; dx++) {
      if (dx != 0 || dy != 0) {
        census = 2u * census + u32(pel_at(side, x + dx, y + dy) > centre);
      }
    }
  }
  let toLeft = (centre + pel_at(side, x - 1, y) + 1u) >> 1u;
  let toRight = (centre + pel_at(side, x + 1, y) + 1u) >> 1u;
  let low = min(centre, min(toLeft, toRight));
  let high = max(centre, max(toLeft, toRight));
  let index = (side * parameters.height + id.y) * parameters.width + id.x;
  features[index] = vec2u(census | (centre << 24u), low | (high << 8u));
}
