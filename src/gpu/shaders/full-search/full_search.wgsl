// `gpu-full` by absolute differences: finds the best of all vectors of a block, and computes the cost of few of them.
//
// A workgroup searches one block. The sums of 4x4 blocks give a lower bound of the cost, which rules out most vectors:
//
//     sad >= sum |sumA - sumB|            over the 4x4 blocks of the block
//
// The window is searched in tiles of TILE_QUADS * 4 by TILE_CHUNKS * 12 vectors. A thread keeps the bounds of twelve
// vectors in registers: four side by side, in three rows that lie four apart. So a row of sums serves up to three rows.
//
//     row of sums      0  4  8  12 16 20
//     vector dy = 0    0  1  2  3            <- row of 4x4 blocks that is compared with it
//     vector dy = 4       0  1  2  3
//     vector dy = 8          0  1  2  3
//
// The steps for each tile:
// 1. The bounds of all vectors.
// 2. The exact costs of the seeds, which are the vectors with the lowest bounds. They give a threshold.
// 3. The exact costs of the survivors, which are the vectors whose bounds reach the threshold.

/** Size of a tile. TILE_QUADS * PHASES * TILE_CHUNKS threads work on it, at most THREADS. */
override TILE_QUADS: u32;
override TILE_CHUNKS: u32;

/** Sums of the current picture's 4x4 blocks, at four neighbouring columns to an entry, see block_sums.wgsl. */
@group(0) @binding(3) var<storage, read> currentSums: array<vec2u>;
/** The same sums of the reference. */
@group(0) @binding(4) var<storage, read> referenceSums: array<vec2u>;

/** Vectors of a thread that lie side by side. */
const QUAD = 4u;
/** A chunk has three rows of vectors for each phase; a thread takes one phase. */
const PHASES = 4u;
const CHUNK_ROWS = 12u;
/** 4x4 blocks along the side of the block, and also words in a row of its pels. */
override SIDE = BLOCK / 4u;
override TILE_COLUMNS = QUAD * TILE_QUADS;
override TILE_ROWS = CHUNK_ROWS * TILE_CHUNKS;

/** Words in a row of the tile's pels, an odd number, so that rows begin in different memory banks; and the rows. */
override PEL_PITCH = (TILE_QUADS + SIDE) | 1u;
override PEL_ROWS = TILE_ROWS + BLOCK - 1u;
override PEL_WORDS = PEL_PITCH * PEL_ROWS;

/** The block: rows of pels. 8x8 blocks use the first two words. */
var<workgroup> block: array<vec4u, BLOCK>;
/** The share of each row of the block in the metric, see `block_share`. */
var<workgroup> blockShares: array<u32, BLOCK>;
/** The pels of the reference that the vectors of the tile lead to. */
var<workgroup> tilePels: array<u32, PEL_WORDS>;
/** The sums of the block's 4x4 blocks, row by row. 8x8 blocks use the first two columns. */
var<workgroup> blockSums: array<vec4f, SIDE>;
/**
 * The seed of each group of threads: the lowest bound, the order of its first vector, the exact cost of that vector.
 */
var<workgroup> seedBounds: array<atomic<u32>, SEEDS>;
var<workgroup> seedOrders: array<atomic<u32>, SEEDS>;
var<workgroup> seedCosts: array<atomic<u32>, SEEDS>;
/** Orders of the survivors of a round. */
var<workgroup> survivors: array<u32, PORTION>;
/** Survivors of the round; it also counts those for which the list has no room. */
var<workgroup> survivorCount: atomic<u32>;
/** Exact costs of the survivors. */
var<workgroup> costs: array<atomic<u32>, PORTION>;
/** A number that one thread finds for all: a truth value, or how many survivors a round has. */
var<workgroup> notice: u32;

/** A part of a window: its first vector, which may lie left of the window, and where that leads to in the reference. */
struct Tile {
  first: vec2i,
  x: u32,
  y: u32,
}

/** Bounds of twelve vectors from (dx, dy) on, in rows four apart; NOTHING.x for those outside the window. */
struct Bounds {
  dx: i32,
  dy: i32,
  top: vec4u,
  middle: vec4u,
  bottom: vec4u,
}

/** Sums at four neighbouring columns, and at those 4, 8 and 12 to the right. */
struct SumsRow {
  first: vec4f,
  second: vec4f,
  third: vec4f,
  fourth: vec4f,
}

/** The penalty of a vector in cost units. */
fn penalty(vector: vec2i) -> u32 {
  if (!HAS_PENALTIES) {
    return 0u;
  }
  return penalties[abs(vector.x)] + penalties[parameters.penaltyY + u32(abs(vector.y))];
}

/** Loads the pels, shares and sums of the block at `position`. */
fn load_block(thread: u32, position: vec2u) {
  if (thread < BLOCK) {
    let at = (position.y + thread) * parameters.pitch + position.x / 4u;
    var row = vec4u(currentPels[at], currentPels[at + 1u], 0u, 0u);
    if (SIDE == 4u) {
      row.z = currentPels[at + 2u];
      row.w = currentPels[at + 3u];
    }
    block[thread] = row;
    blockShares[thread] = block_share(row.x) + block_share(row.y) + block_share(row.z) + block_share(row.w);
  }
  if (thread < SIDE) {
    let at = (position.y + 4u * thread) * parameters.pitch + position.x / 4u;
    var sums = vec4f(biased_sums(currentSums[at]).x, biased_sums(currentSums[at + 1u]).x, 0.0, 0.0);
    if (SIDE == 4u) {
      sums.z = biased_sums(currentSums[at + 2u]).x;
      sums.w = biased_sums(currentSums[at + 3u]).x;
    }
    blockSums[thread] = sums;
  }
}

/** Word `index` of the tile's pels. A word beyond the picture is of no meaning. */
fn tile_word(tile: Tile, index: u32) -> u32 {
  return referencePels[(tile.y + index / PEL_PITCH) * parameters.pitch + tile.x / 4u + index % PEL_PITCH];
}

/** Loads the tile. Four loads of a thread are under way: compilers do not unroll a loop whose accesses Dawn guards. */
fn load_tile(thread: u32, tile: Tile) {
  for (var index = thread; index < PEL_WORDS; index += 4u * THREADS) {
    let first = tile_word(tile, index);
    let second = tile_word(tile, index + THREADS);
    let third = tile_word(tile, index + 2u * THREADS);
    let fourth = tile_word(tile, index + 3u * THREADS);
    tilePels[index] = first;
    if (index + THREADS < PEL_WORDS) {
      tilePels[index + THREADS] = second;
    }
    if (index + 2u * THREADS < PEL_WORDS) {
      tilePels[index + 2u * THREADS] = third;
    }
    if (index + 3u * THREADS < PEL_WORDS) {
      tilePels[index + 3u * THREADS] = fourth;
    }
  }
}

/** The share in the metric that a word of the block has whatever it is compared with: -sum a. */
fn block_share(word: u32) -> u32 {
  return 0u - dot4U8Packed(word, ONES);
}

/**
 * The rest of the metric when word `a` of the block is compared with word `b` of the reference:
 * sum |a - b| = 2 * sum max(a - b, 0) + sum b - sum a, of which `block_share` is the last part.
 */
fn word_cost(a: u32, b: u32) -> u32 {
  return 2u * dot4U8Packed(positive_differences(a, b), ONES) + dot4U8Packed(b, ONES);
}

/** The metric of one row of the block, for the vector at `place` in the tile. */
fn row_cost(place: vec2u, row: u32) -> u32 {
  let shift = 8u * (place.x & 3u);
  let at = (place.y + row) * PEL_PITCH + place.x / 4u;
  let pels = block[row];
  let first = tilePels[at];
  let second = tilePels[at + 1u];
  let third = tilePels[at + 2u];
  let left = word_cost(pels.x, straddling(first, second, shift)) + word_cost(pels.y, straddling(second, third, shift));
  if (SIDE == 2u) {
    return blockShares[row] + left;
  }
  let fourth = tilePels[at + 3u];
  let fifth = tilePels[at + 4u];
  let right = word_cost(pels.z, straddling(third, fourth, shift)) + word_cost(pels.w, straddling(fourth, fifth, shift));
  return blockShares[row] + (left + right);
}

/** Whether seed `other` comes before the thread's own seed. Equal seeds, which are NOTHING, go by their number. */
fn is_before(other: u32, own: vec2u, thread: u32) -> bool {
  let seed = measured_seed(other);
  return precedes(seed, own) || (other < thread && all(seed == own));
}

/** Lists a vector if its bound reaches the threshold. Returns the bound, or NOTHING.x if the vector was listed. */
fn list_survivor(bound: u32, limit: vec2u, dx: i32, dy: i32) -> u32 {
  if (bound <= limit.x) {
    let order = order_of(vec2i(dx, dy));
    if (bound < limit.x || order <= limit.y) {
      let index = atomicAdd(&survivorCount, 1u);
      if (index < PORTION) {
        survivors[index] = order;
        atomicStore(&costs[index], penalty(vec2i(dx, dy)));
        return NOTHING.x;
      }
    }
  }
  return bound;
}

/** Calls `list_survivor` for the four vectors from (dx, dy) to the right. */
fn list_survivors(bounds: vec4u, limit: vec2u, dx: i32, dy: i32) -> vec4u {
  var left = bounds;
  if (lowest_of(bounds) <= limit.x) {
    left.x = list_survivor(bounds.x, limit, dx, dy);
    left.y = list_survivor(bounds.y, limit, dx + 1, dy);
    left.z = list_survivor(bounds.z, limit, dx + 2, dy);
    left.w = list_survivor(bounds.w, limit, dx + 3, dy);
  }
  return left;
}

/** Measures one round of survivors and merges them. Returns whether there are more. Starts and ends with a barrier. */
fn search_round(thread: u32, tile: Tile, bounds: ptr<function, Bounds>) -> bool {
  // NOTHING.x is no bound: it stands for vectors outside the window and for those already tried.
  let limit = vec2u(min(threshold.x, NOTHING.x - 1u), threshold.y);
  (*bounds).top = list_survivors((*bounds).top, limit, (*bounds).dx, (*bounds).dy);
  (*bounds).middle = list_survivors((*bounds).middle, limit, (*bounds).dx, (*bounds).dy + 4);
  (*bounds).bottom = list_survivors((*bounds).bottom, limit, (*bounds).dx, (*bounds).dy + 8);
  workgroupBarrier();
  measure_survivors(thread, tile);
  if (thread == 0u) {
    notice = atomicLoad(&survivorCount);
  }
  let count = workgroupUniformLoad(&notice);
  for (var index = thread; index < min(count, PORTION); index += THREADS) {
    propose(vec2u(atomicLoad(&costs[index]), survivors[index]));
  }
  merge_finalists(thread, CANDIDATES);
  if (count <= PORTION) {
    return false;
  }
  if (thread == 0u) {
    atomicStore(&survivorCount, 0u);
    if (bestCount == CANDIDATES && precedes(best_at(CANDIDATES - 1u), threshold)) {
      threshold = best_at(CANDIDATES - 1u);
    }
  }
  workgroupBarrier();
  return true;
}

/** Adds up the exact costs of the survivors: a thread takes four rows of one survivor at a time. */
fn measure_survivors(thread: u32, tile: Tile) {
  let tasks = min(atomicLoad(&survivorCount), PORTION) * SIDE;
  for (var task = thread; task < tasks; task += THREADS) {
    let index = task / SIDE;
    let place = vec2u(vector_of(survivors[index]) - tile.first);
    let row = 4u * (task % SIDE);
    let cost = (row_cost(place, row) + row_cost(place, row + 1u)) + (row_cost(place, row + 2u) + row_cost(place, row + 3u));
    atomicAdd(&costs[index], cost);
  }
}

/** Whether no bound of the tile reaches the kept candidates. The same in every thread. Ends with a barrier. */
fn is_hopeless(thread: u32) -> bool {
  if (thread == 0u) {
    var lowest = NOTHING.x;
    for (var group = 0u; group < SEEDS; group++) {
      lowest = min(lowest, atomicLoad(&seedBounds[group]));
    }
    notice = u32(bestCount == CANDIDATES && best_at(CANDIDATES - 1u).x < lowest);
  }
  return workgroupUniformLoad(&notice) == 1u;
}

/** Searches one tile and merges its best into `best`. Ends with a barrier. */
fn search_tile(thread: u32, tile: Tile, window: Window, isFirst: bool) {
  if (thread < SEEDS) {
    atomicStore(&seedBounds[thread], NOTHING.x);
    atomicStore(&seedOrders[thread], NOTHING.y);
    atomicStore(&seedCosts[thread], 0u);
  }
  if (thread == 0u) {
    atomicStore(&survivorCount, 0u);
  }
  load_tile(thread, tile);
  var bounds = thread_bounds(thread, tile, window);
  choose_seeds(thread, bounds);
  if (!isFirst) {
    if (is_hopeless(thread)) {
      return;
    }
  }
  measure_seeds(thread, tile);
  choose_threshold(thread);
  while (search_round(thread, tile, &bounds)) {
  }
}

@compute @workgroup_size(THREADS)
fn full_search(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let position = group.xy * BLOCK;
  let window = window_of_block(vec2i(position));
  forget_best(thread);
  load_block(thread, position);
  workgroupBarrier();

  // Tiles start at a multiple of four pels in the reference. The first is the one that holds the zero vector: its good
  // matches rule out many vectors of the others, which follow in raster order.
  let corner = vec2u(vec2i(position) + window.first) & vec2u(~3u, ~0u);
  let first = vec2i(corner) - vec2i(position);
  let tileSize = vec2u(TILE_COLUMNS, TILE_ROWS);
  let tiles = (vec2u(window.last - first) + tileSize) / tileSize;
  let middle = vec2u(-first) / tileSize;
  let tileCount = tiles.x * tiles.y;
  for (var turn = 0u; turn < tileCount; turn++) {
    let number = (middle.y * tiles.x + middle.x + turn) % tileCount;
    let offset = vec2u(number % tiles.x, number / tiles.x) * tileSize;
    let at = corner + offset;
    search_tile(thread, Tile(first + vec2i(offset), at.x, at.y), window, turn == 0u);
  }

  write_best(thread, group.y * parameters.blockColumns + group.x);
}
