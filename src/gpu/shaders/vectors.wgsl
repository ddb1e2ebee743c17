// Vectors, their order at equal cost, and the window of vectors that a block may have; used by all searches.
//
// The order is the estimator contract's: smaller cost, then smaller |dx| + |dy|, then smaller dy, then smaller dx. A
// vector is handled as its place in that order among vectors of equal cost. |dx| + |dy| and dy leave only the sign of
// dx open:
//
//     bit 31    27            14 13            1 0
//         | 0    | |dx| + |dy|  | dy + 4096     | dx > 0 |
//
// A candidate is the pair vec2u(cost, order), see pairs.wgsl: the better one precedes. No two candidates of a block are
// equal.

/** The order of a vector. */
fn order_of(vector: vec2i) -> u32 {
  return (u32(abs(vector.x) + abs(vector.y)) << 14u) | (u32(vector.y + 4096) << 1u) | u32(vector.x > 0);
}

/** The vector with an order. */
fn vector_of(order: u32) -> vec2i {
  let dy = i32((order >> 1u) & 0x1fffu) - 4096;
  let magnitude = i32(order >> 14u) - abs(dy);
  return vec2i(select(-magnitude, magnitude, (order & 1u) == 1u), dy);
}

/** The legal vectors of a block in pels, both ends included. */
struct Window {
  first: vec2i,
  last: vec2i,
}

/** The vectors within `range` that keep a block of `side` pels at `position` inside a picture of `size` pels. */
fn search_window(position: vec2i, side: i32, size: vec2i, range: vec2i) -> Window {
  return Window(max(-range, -position), min(range, size - side - position));
}
