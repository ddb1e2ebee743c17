// `gpu-full` by squared errors, for many candidates: a workgroup searches one block, so BLOCKS is 1.
//
// The best vectors of the threads are the seeds of a threshold. The vectors of a tile that reach it become finalists,
// in rounds if there are many, and are merged into the best; see best_candidates.wgsl. full_search_sse_costs.wgsl says
// how costs are computed.

/** A truth value that one thread finds for all. */
var<workgroup> notice: u32;

/** The best candidate among the costs of a thread's vectors from `vector` down, or NOTHING. */
fn best_of(costs: Column, vector: vec2i) -> vec2u {
  let cost = lowest_of(costs);
  if (cost == NOTHING.x) {
    return NOTHING;
  }
  return vec2u(cost, lowest_of(orders_at(cost, costs, vector)));
}

/** Proposes a vector. Returns its cost, or NOTHING.x if it has become a finalist. */
fn propose_vector(cost: u32, vector: vec2i) -> u32 {
  if (cost <= threshold.x && cost != NOTHING.x) {
    if (propose(vec2u(cost, order_of(vector)))) {
      return NOTHING.x;
    }
  }
  return cost;
}

/** Calls `propose_vector` for the four vectors from `vector` down. */
fn propose_four(costs: vec4u, vector: vec2i) -> vec4u {
  return vec4u(
    propose_vector(costs.x, vector),
    propose_vector(costs.y, vector + vec2i(0, 1)),
    propose_vector(costs.z, vector + vec2i(0, 2)),
    propose_vector(costs.w, vector + vec2i(0, 3)),
  );
}

/** Merges the best of the threads' vectors into the best. Ends with a barrier. */
fn keep_best_of_tile(thread: u32, all: Column, vector: vec2i) {
  var costs = all;
  var isMore = true;
  gather_seeds(thread, best_of(costs, vector));
  while (isMore) {
    // In later rounds, the vectors kept so far may give a lower threshold.
    set_threshold(thread, CANDIDATES);
    costs.first = propose_four(costs.first, vector);
    costs.second = propose_four(costs.second, vector + vec2i(0, 4));
    costs.third = propose_four(costs.third, vector + vec2i(0, 8));
    workgroupBarrier();
    if (thread == 0u) {
      notice = u32(atomicLoad(&finalistCount) > PORTION);
    }
    isMore = workgroupUniformLoad(&notice) == 1u;
    merge_finalists(thread, CANDIDATES);
  }
}

@compute @workgroup_size(THREADS)
fn full_search_sse_many(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let position = vec2i(group.xy * BLOCK);
  let window = window_of_block(position);
  forget_best(thread);
  load_blocks(thread, group.xy * BLOCK);
  let tileSize = vec2i(i32(COLUMNS), i32(ROWS * CHUNKS));
  let tiles = (window.last - window.first + tileSize) / tileSize;
  let place = vec2i(i32(thread % COLUMNS), i32(ROWS * (thread / COLUMNS)));
  for (var turn = 0; turn < tiles.x * tiles.y; turn++) {
    let tileFirst = window.first + vec2i(turn % tiles.x, turn / tiles.x) * tileSize;
    let tileCorner = (position + tileFirst) & vec2i(~3, ~0);
    workgroupBarrier();
    load_tile(thread, tileCorner);
    workgroupBarrier();
    let vector = tileFirst + place;
    var costs = Column(vec4u(NOTHING.x), vec4u(NOTHING.x), vec4u(NOTHING.x));
    if (thread < COLUMNS * CHUNKS && vector.x <= window.last.x) {
      let at = u32(place.y) * TILE_PITCH + u32(position.x + vector.x - tileCorner.x);
      costs = thread_costs(products(0u, at), position, vector, window);
    }
    keep_best_of_tile(thread, costs, vector);
  }
  write_best(thread, group.y * parameters.blockColumns + group.x);
}
