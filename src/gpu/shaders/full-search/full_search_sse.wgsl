// `gpu-full` by squared errors: a workgroup searches a few neighbouring blocks.
//
// The best of a tile's vectors and of the vectors kept so far are found one after the other: the lowest cost, then the
// lowest order among the vectors of that cost. full_search_sse_costs.wgsl says how costs are computed.

/** Threads of each block: COLUMNS * CHUNKS, but at least CANDIDATES. */
override BLOCK_THREADS: u32;
/** Threads of the workgroup. */
override THREADS: u32;
/**
 * True: no window is larger than a tile. If the compiler does not know that the loop over tiles runs once, a search of
 * 80 us takes 14 us longer (NVIDIA H200).
 */
override HAS_ONE_TILE: bool;

/** Costs and orders of the best CANDIDATES of each block, in order; NOTHING where there are fewer. */
var<workgroup> bestCosts: array<atomic<u32>, BLOCKS * CANDIDATES>;
var<workgroup> bestOrders: array<atomic<u32>, BLOCKS * CANDIDATES>;

/** `costs` with NOTHING.x for the vector whose order is `order`. */
fn without(order: u32, costs: Column, orders: Column) -> Column {
  let taken = vec4u(NOTHING.x);
  return Column(
    select(costs.first, taken, orders.first == vec4u(order)),
    select(costs.second, taken, orders.second == vec4u(order)),
    select(costs.third, taken, orders.third == vec4u(order)),
  );
}

/**
 * Sets the best candidates of a block, from entry `slot` on. Each thread brings the costs `all` of its vectors from
 * `vector` down, and one candidate more. The entries must be NOTHING, set before the last barrier.
 */
fn choose_best(slot: u32, all: Column, vector: vec2i, one: vec2u) {
  var costs = all;
  var more = one;
  for (var rank = 0u; rank < CANDIDATES; rank++) {
    let place = slot + rank;
    let own = min(lowest_of(costs), more.x);
    if (own < atomicLoad(&bestCosts[place])) {
      atomicMin(&bestCosts[place], own);
    }
    workgroupBarrier();
    let isLowest = own != NOTHING.x && own == atomicLoad(&bestCosts[place]);
    var orders: Column;
    var order = NOTHING.y;
    if (isLowest) {
      orders = orders_at(own, costs, vector);
      order = min(lowest_of(orders), select(NOTHING.y, more.y, more.x == own));
      atomicMin(&bestOrders[place], order);
    }
    workgroupBarrier();
    if (isLowest && order == atomicLoad(&bestOrders[place])) {
      costs = without(order, costs, orders);
      more = select(more, NOTHING, more.y == order);
    }
  }
}

@compute @workgroup_size(THREADS)
fn full_search_sse(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let block = min(thread / BLOCK_THREADS, BLOCKS - 1u);
  let lane = thread % BLOCK_THREADS;
  let corner = vec2i(vec2u(group.x * BLOCKS, group.y) * BLOCK);
  let position = corner + vec2i(i32(block * BLOCK), 0);
  let hasBlock = thread < BLOCKS * BLOCK_THREADS && position.x < i32(parameters.width);
  let slot = block * CANDIDATES;
  let isKeeper = hasBlock && lane < CANDIDATES;
  if (thread < BLOCKS * CANDIDATES) {
    atomicStore(&bestCosts[thread], NOTHING.x);
    atomicStore(&bestOrders[thread], NOTHING.y);
  }
  load_blocks(thread, vec2u(corner));

  // The blocks share tiles, which reach from the first legal vector of the last block to the last of the first block.
  let window = window_of_block(position);
  let rightmost = min(corner.x + i32(BLOCK * (BLOCKS - 1u)), i32(parameters.width - BLOCK));
  let first = window_of_block(vec2i(rightmost, corner.y)).first;
  let last = window_of_block(corner).last;
  let tileSize = vec2i(i32(COLUMNS), i32(ROWS * CHUNKS));
  let tiles = (last - first + tileSize) / tileSize;
  let tileCount = select(tiles.x * tiles.y, 1, HAS_ONE_TILE);
  let place = vec2i(i32(lane % COLUMNS), i32(ROWS * (lane / COLUMNS)));
  for (var turn = 0; turn < tileCount; turn++) {
    var kept = NOTHING;
    var tileFirst = first;
    if (!HAS_ONE_TILE) {
      tileFirst += vec2i(turn % tiles.x, turn / tiles.x) * tileSize;
      workgroupBarrier();
      if (isKeeper) {
        kept = vec2u(atomicLoad(&bestCosts[slot + lane]), atomicLoad(&bestOrders[slot + lane]));
        atomicStore(&bestCosts[slot + lane], NOTHING.x);
        atomicStore(&bestOrders[slot + lane], NOTHING.y);
      }
    }
    let tileCorner = (corner + tileFirst) & vec2i(~3, ~0);
    load_tile(thread, tileCorner);
    workgroupBarrier();
    let vector = tileFirst + place;
    var costs = Column(vec4u(NOTHING.x), vec4u(NOTHING.x), vec4u(NOTHING.x));
    if (hasBlock && lane < COLUMNS * CHUNKS && vector.x >= window.first.x && vector.x <= window.last.x) {
      let at = u32(place.y) * TILE_PITCH + u32(position.x + vector.x - tileCorner.x);
      costs = thread_costs(products(block * BLOCK, at), position, vector, window);
    }
    choose_best(slot, costs, vector, kept);
  }

  if (isKeeper) {
    // Where the window has fewer vectors than CANDIDATES, the last one is repeated.
    var found = slot + lane;
    while (atomicLoad(&bestOrders[found]) == NOTHING.y) {
      found--;
    }
    let entry = (group.y * parameters.blockColumns + group.x * BLOCKS + block) * CANDIDATES + lane;
    write_entry(entry, atomicLoad(&bestCosts[found]), vector_of(atomicLoad(&bestOrders[found])));
  }
}
