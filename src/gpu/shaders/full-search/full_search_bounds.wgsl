// Part of full_search: the bounds of a thread's vectors; full_search.wgsl draws which vectors a thread has.

/** Four sums as f32, each plus 2^23; their differences are exact. */
fn biased_sums(entry: vec2u) -> vec4f {
  return bitcast<vec4f>(vec4u(entry.x & 0xffffu, entry.x >> 16u, entry.y & 0xffffu, entry.y >> 16u) | vec4u(BIAS));
}

/** The reference's sums at entry `at` and to the right of it. */
fn sums_row(at: u32) -> SumsRow {
  var row: SumsRow;
  row.first = biased_sums(referenceSums[at]);
  row.second = biased_sums(referenceSums[at + 1u]);
  if (SIDE == 4u) {
    row.third = biased_sums(referenceSums[at + 2u]);
    row.fourth = biased_sums(referenceSums[at + 3u]);
  }
  return row;
}

fn sum_difference(sums: vec4f, sum: f32) -> vec4f {
  return abs(sums - sum);
}

/** The part of the bounds of four vectors that comes from one row of the block's sums, compared with `row`. */
fn row_bound(row: SumsRow, sums: vec4f) -> vec4f {
  let left = sum_difference(row.first, sums.x) + sum_difference(row.second, sums.y);
  if (SIDE == 2u) {
    return left;
  }
  return left + (sum_difference(row.third, sums.z) + sum_difference(row.fourth, sums.w));
}

/** Bounds as integers. */
fn bounds_as_costs(bounds: vec4f) -> vec4u {
  return bitcast<vec4u>(bounds + bitcast<f32>(BIAS)) - vec4u(BIAS);
}

/** The bounds with penalties of the four vectors from (dx, dy) to the right, NOTHING.x for those outside the window. */
fn finished_bounds(bounds: vec4f, dx: i32, dy: i32, window: Window) -> vec4u {
  let columns = vec4i(dx) + vec4i(0, 1, 2, 3);
  var costs = bounds_as_costs(bounds);
  if (HAS_PENALTIES) {
    let distances = vec4u(abs(columns));
    let penaltiesX = vec4u(penalties[distances.x], penalties[distances.y], penalties[distances.z], penalties[distances.w]);
    costs += penaltiesX + penalties[parameters.penaltyY + u32(abs(dy))];
  }
  let inside = (columns >= vec4i(window.first.x)) & (columns <= vec4i(window.last.x)) & vec4<bool>(dy <= window.last.y);
  return select(vec4u(NOTHING.x), costs, inside);
}

/** The bounds of a thread's twelve vectors. */
fn thread_bounds(thread: u32, tile: Tile, window: Window) -> Bounds {
  let quad = thread % TILE_QUADS;
  let group = thread / TILE_QUADS;
  let row = CHUNK_ROWS * (group / PHASES) + group % PHASES;
  let dx = tile.first.x + 4 * i32(quad);
  let dy = tile.first.y + i32(row);
  let nothing = vec4u(NOTHING.x);
  var bounds = Bounds(dx, dy, nothing, nothing, nothing);
  if (group >= PHASES * TILE_CHUNKS || dx > window.last.x || dy > window.last.y) {
    return bounds;
  }
  let step = 4u * parameters.pitch;
  var at = (tile.y + row) * parameters.pitch + tile.x / 4u + quad;
  var sums = sums_row(at);
  var top = row_bound(sums, blockSums[0]);
  sums = sums_row(at + step);
  top += row_bound(sums, blockSums[1]);
  var middle = row_bound(sums, blockSums[0]);
  sums = sums_row(at + 2u * step);
  middle += row_bound(sums, blockSums[1]);
  var bottom = row_bound(sums, blockSums[0]);
  if (SIDE == 4u) {
    top += row_bound(sums, blockSums[SIDE - 2u]);
    sums = sums_row(at + 3u * step);
    top += row_bound(sums, blockSums[SIDE - 1u]);
    middle += row_bound(sums, blockSums[SIDE - 2u]);
    bottom += row_bound(sums, blockSums[1]);
    sums = sums_row(at + 4u * step);
    middle += row_bound(sums, blockSums[SIDE - 1u]);
    bottom += row_bound(sums, blockSums[SIDE - 2u]);
    sums = sums_row(at + 5u * step);
    bottom += row_bound(sums, blockSums[SIDE - 1u]);
  } else {
    sums = sums_row(at + 3u * step);
    bottom += row_bound(sums, blockSums[1]);
  }
  bounds.top = finished_bounds(top, dx, dy, window);
  bounds.middle = finished_bounds(middle, dx, dy + 4, window);
  bounds.bottom = finished_bounds(bottom, dx, dy + 8, window);
  return bounds;
}
