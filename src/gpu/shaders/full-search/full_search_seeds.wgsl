// Part of full_search: the seeds, which are the vectors with the lowest bounds, and the threshold that they give.

fn lowest_of(bounds: vec4u) -> u32 {
  return min(min(bounds.x, bounds.y), min(bounds.z, bounds.w));
}

/** The lowest order of those of the four vectors from (dx, dy) to the right whose bound is `bound`, or NOTHING.y. */
fn first_order(bounds: vec4u, bound: u32, dx: i32, dy: i32) -> u32 {
  let orders = vec4u(
    order_of(vec2i(dx, dy)),
    order_of(vec2i(dx + 1, dy)),
    order_of(vec2i(dx + 2, dy)),
    order_of(vec2i(dx + 3, dy)),
  );
  return lowest_of(select(vec4u(NOTHING.y), orders, bounds == vec4u(bound)));
}

/**
 * Sets `seedBounds` and `seedOrders`: the vector with the lowest bound among the threads whose numbers are SEEDS apart.
 * Starts and ends with a barrier.
 */
fn choose_seeds(thread: u32, bounds: Bounds) {
  let group = thread % SEEDS;
  let lowest = min(min(lowest_of(bounds.top), lowest_of(bounds.middle)), lowest_of(bounds.bottom));
  workgroupBarrier();
  if (lowest != NOTHING.x) {
    atomicMin(&seedBounds[group], lowest);
  }
  workgroupBarrier();
  if (lowest != NOTHING.x && lowest == atomicLoad(&seedBounds[group])) {
    let top = first_order(bounds.top, lowest, bounds.dx, bounds.dy);
    let middle = first_order(bounds.middle, lowest, bounds.dx, bounds.dy + 4);
    let bottom = first_order(bounds.bottom, lowest, bounds.dx, bounds.dy + 8);
    atomicMin(&seedOrders[group], min(top, min(middle, bottom)));
  }
  workgroupBarrier();
}

/** Adds up the exact costs of the seeds: a thread takes one row of one seed at a time. Ends with a barrier. */
fn measure_seeds(thread: u32, tile: Tile) {
  for (var task = thread; task < SEEDS * BLOCK; task += THREADS) {
    let seed = task % SEEDS;
    let row = task / SEEDS;
    let order = atomicLoad(&seedOrders[seed]);
    if (order != NOTHING.y) {
      let vector = vector_of(order);
      var cost = row_cost(vec2u(vector - tile.first), row);
      if (row == 0u) {
        cost += penalty(vector);
      }
      atomicAdd(&seedCosts[seed], cost);
    }
  }
  workgroupBarrier();
}

/** The candidate of a seed, with its exact cost, or NOTHING. */
fn measured_seed(seed: u32) -> vec2u {
  let order = atomicLoad(&seedOrders[seed]);
  return select(vec2u(atomicLoad(&seedCosts[seed]), order), NOTHING, order == NOTHING.y);
}

/** Sets `threshold`: the better one of the CANDIDATES-th seed and the last of `best`. Ends with a barrier. */
fn choose_threshold(thread: u32) {
  if (thread < SEEDS) {
    let own = measured_seed(thread);
    var rank = 0u;
    for (var other = 0u; other < SEEDS; other += 4u) {
      rank += u32(is_before(other, own, thread)) + u32(is_before(other + 1u, own, thread));
      rank += u32(is_before(other + 2u, own, thread)) + u32(is_before(other + 3u, own, thread));
    }
    if (rank == CANDIDATES - 1u) {
      threshold = own;
      if (bestCount == CANDIDATES && precedes(best_at(CANDIDATES - 1u), own)) {
        threshold = best_at(CANDIDATES - 1u);
      }
    }
  }
  workgroupBarrier();
}
