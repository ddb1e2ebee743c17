// Part of full_search_sse: computes the cost of every vector of a block.
//
//     sum (a - b)^2 = sum a^2 + sum b^2 - 2 * sum ab
//
// The sums of squares are known for every position (square_sums.wgsl). The products remain; one instruction makes four
// of them. A thread has ROWS vectors of one block, one below the other. The window is searched in tiles of COLUMNS by
// ROWS * CHUNKS vectors.

/** Sum of squares of the current picture's block at each position, row by row, see square_sums.wgsl. */
@group(0) @binding(3) var<storage, read> currentSums: array<u32>;
/** The same sums of the reference. */
@group(0) @binding(4) var<storage, read> referenceSums: array<u32>;

/** Costs of the four vectors from `vector` down, NOTHING.x for those outside the window. */
fn costs_of(products: vec4u, position: vec2i, vector: vec2i, window: Window) -> vec4u {
  let rows = vec4i(vector.y) + vec4i(0, 1, 2, 3);
  let inside = (rows >= vec4i(window.first.y)) & (rows <= vec4i(window.last.y));
  let width = parameters.width;
  let at = u32((position.y + vector.y) * i32(width) + position.x + vector.x);
  let b = vec4u(referenceSums[at], referenceSums[at + width], referenceSums[at + 2u * width], referenceSums[at + 3u * width]);
  var costs = currentSums[u32(position.y) * width + u32(position.x)] + b - 2u * products;
  if (HAS_PENALTIES) {
    let far = vec4u(parameters.penaltyY) + vec4u(abs(rows));
    costs += penalties[abs(vector.x)] + vec4u(penalties[far.x], penalties[far.y], penalties[far.z], penalties[far.w]);
  }
  return select(vec4u(NOTHING.x), costs, inside);
}

/** The costs of a thread's vectors, from `vector` down, for the block at `position`. */
fn thread_costs(products: Column, position: vec2i, vector: vec2i, window: Window) -> Column {
  let first = costs_of(products.first, position, vector, window);
  let second = costs_of(products.second, position, vector + vec2i(0, 4), window);
  let third = costs_of(products.third, position, vector + vec2i(0, 8), window);
  return Column(first, second, vec4u(third.xyz, NOTHING.x));
}

/** The lowest number of a column. */
fn lowest_of(values: Column) -> u32 {
  let lowest = min(min(values.first, values.second), values.third);
  return min(min(lowest.x, lowest.y), min(lowest.z, lowest.w));
}

/** Orders of the four vectors from `vector` down. */
fn orders_of(vector: vec2i) -> vec4u {
  return vec4u(
    order_of(vector),
    order_of(vector + vec2i(0, 1)),
    order_of(vector + vec2i(0, 2)),
    order_of(vector + vec2i(0, 3)),
  );
}

/** The orders of a thread's vectors, from `vector` down, that cost `cost`; NOTHING.y for the others. */
fn orders_at(cost: u32, costs: Column, vector: vec2i) -> Column {
  let others = vec4u(NOTHING.y);
  return Column(
    select(others, orders_of(vector), costs.first == vec4u(cost)),
    select(others, orders_of(vector + vec2i(0, 4)), costs.second == vec4u(cost)),
    select(others, orders_of(vector + vec2i(0, 8)), costs.third == vec4u(cost)),
  );
}
