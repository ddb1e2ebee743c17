// Part of mrmp_search: tries all vectors of the window at the coarsest level.
//
// A thread tries four vectors at a time that lie side by side: their matches share words.

const QUAD = 4u;
override QUADS = PORTION / QUAD;
override COARSEST = LEVELS - 1u;
override COARSEST_SIDE = BLOCK >> COARSEST;

/** Four vectors side by side: where the match of the first begins in the reference, a whole word, and the first. */
struct Quad {
  place: vec2u,
  vector: vec2i,
}

/** Words in which the matches of a row of the window begin, the first and the one after the last. */
fn window_words(position: vec2u, window: Window) -> vec2u {
  return vec2u(vec2i(i32(position.x)) + vec2i(window.first.x, window.last.x)) / QUAD + vec2u(0u, 1u);
}

/** Quad `number` of the window of the block at `position`; its words are counted row by row. */
fn window_quad(number: u32, position: vec2u, window: Window) -> Quad {
  let words = window_words(position, window);
  let columns = words.y - words.x;
  let top = u32(i32(position.y) + window.first.y);
  let place = vec2u(QUAD * (words.x + number % columns), top + number / columns);
  return Quad(place, vec2i(place) - vec2i(position));
}

/** How many quads the window has. */
fn quad_count(position: vec2u, window: Window) -> u32 {
  let words = window_words(position, window);
  return (words.y - words.x) * (u32(window.last.y - window.first.y) + 1u);
}

/** The metric of the block for the four matches from `place` on. Two rows at a time: four loads are under way. */
fn quad_metrics(place: vec2u) -> vec4u {
  let plane = parameters.levels[COARSEST];
  let words = max(1u, COARSEST_SIDE / 4u);
  let mask = row_mask(COARSEST);
  var sums = vec4u(BIAS);
  for (var row = 0u; row < COARSEST_SIDE; row += 2u) {
    let upper = plane.offset + (place.y + row) * plane.pitch + place.x / QUAD;
    let lower = upper + plane.pitch;
    for (var word = 0u; word < words; word++) {
      let upperLow = reference[upper + word];
      let upperHigh = reference[upper + word + 1u];
      let lowerLow = reference[lower + word];
      let lowerHigh = reference[lower + word + 1u];
      sums = add_differences(sums, block[row * words + word], upperLow, upperHigh, mask);
      sums = add_differences(sums, block[(row + 1u) * words + word], lowerLow, lowerHigh, mask);
    }
  }
  return sums - BIAS;
}

/** Keeps the cost of a vector of the window at `index`; returns the better one of it and `lowest`. */
fn try_vector(vector: vec2i, metric: u32, index: u32, window: Window, lowest: vec2u) -> vec2u {
  if (vector.x < window.first.x || vector.x > window.last.x) {
    atomicStore(&costs[index], NOTHING.x);
    return lowest;
  }
  let cost = metric + penalty(COARSEST, vector);
  atomicStore(&costs[index], cost);
  if (cost > lowest.x) {
    return lowest;
  }
  let candidate = vec2u(cost, order_of(vector));
  return select(lowest, candidate, precedes(candidate, lowest));
}

/** Tries the quads of a portion; returns the best candidate of the thread. */
fn try_quads(thread: u32, firstQuad: u32, count: u32, position: vec2u, window: Window) -> vec2u {
  var lowest = NOTHING;
  for (var index = thread; index < count; index += THREADS) {
    let quad = window_quad(firstQuad + index, position, window);
    let metrics = quad_metrics(quad.place);
    lowest = try_vector(quad.vector, metrics.x, index, window, lowest);
    lowest = try_vector(quad.vector + vec2i(1, 0), metrics.y, QUADS + index, window, lowest);
    lowest = try_vector(quad.vector + vec2i(2, 0), metrics.z, 2u * QUADS + index, window, lowest);
    lowest = try_vector(quad.vector + vec2i(3, 0), metrics.w, 3u * QUADS + index, window, lowest);
  }
  return lowest;
}

/** Makes finalists of the vectors of a portion that reach the threshold. Each thread looks at those that it tried. */
fn propose_quads(thread: u32, firstQuad: u32, count: u32, position: vec2u, window: Window) {
  let limit = min(threshold.x, NOTHING.x - 1u);
  for (var index = thread; index < count; index += THREADS) {
    for (var step = 0u; step < QUAD; step++) {
      let cost = atomicLoad(&costs[step * QUADS + index]);
      if (cost <= limit) {
        let quad = window_quad(firstQuad + index, position, window);
        propose(vec2u(cost, order_of(quad.vector + vec2i(i32(step), 0))));
      }
    }
  }
}

/** Tries all vectors of the coarsest level and keeps the best in `best`. */
fn search_coarsest(thread: u32, position: vec2u, keep: u32) {
  let window = level_window(COARSEST, position);
  let total = quad_count(position, window);
  for (var portion = 0u; portion < total; portion += QUADS) {
    let count = min(QUADS, total - portion);
    gather_seeds(thread, try_quads(thread, portion, count, position, window));
    set_threshold(thread, keep);
    propose_quads(thread, portion, count, position, window);
    merge_finalists(thread, keep);
  }
}
