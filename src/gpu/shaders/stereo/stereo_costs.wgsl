// Makes the matching costs of each pel and disparity. One thread makes one word: four disparities of a pel.

/** 1 where the cost has this part, else 0. */
override HAS_CENSUS: u32;
override HAS_INTERVALS: u32;

/** As stereo_features makes them. */
@group(0) @binding(1) var<storage, read> features: array<vec2u>;
/** Costs, four to a word: range / 4 words for each pel, row by row. */
@group(0) @binding(2) var<storage, read_write> costs: array<u32>;

/** Threads of a workgroup, side by side. */
const GROUP_WORDS = 64u;
const MAX_INTERVAL_COST = 30u;
const OUTSIDE_COST = 15u;

/** How far a pel is outside an interval. */
fn distance_outside(pel: u32, interval: u32) -> u32 {
  let low = interval & 0xffu;
  let high = interval >> 8u;
  return max(pel, high) - high + max(low, pel) - pel;
}

/** The cost of a match of two pels, from their features. */
fn match_cost(left: vec2u, right: vec2u) -> u32 {
  var cost = 0u;
  if (HAS_CENSUS == 1u) {
    cost += countOneBits((left.x ^ right.x) & 0xffffffu);
  }
  if (HAS_INTERVALS == 1u) {
    let leftOutside = distance_outside(left.x >> 24u, right.y);
    let rightOutside = distance_outside(right.x >> 24u, left.y);
    cost += min(min(leftOutside, rightOutside), MAX_INTERVAL_COST);
  }
  return cost;
}

@compute @workgroup_size(GROUP_WORDS)
fn stereo_costs(@builtin(global_invocation_id) id: vec3u) {
  let words = parameters.range / 4u;
  let x = id.x / words;
  if (x >= parameters.width) {
    return;
  }
  let at = id.y * parameters.width + x;
  let left = features[at];
  let first = 4u * (id.x % words);
  let rightPicture = parameters.width * parameters.height;
  var four = vec4u(OUTSIDE_COST);
  for (var index = 0u; index < 4u; index++) {
    let disparity = first + index;
    if (disparity <= x) {
      four[index] = match_cost(left, features[rightPicture + at - disparity]);
    }
  }
  costs[id.y * parameters.width * words + id.x] = pack4xU8(four);
}
