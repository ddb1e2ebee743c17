// Exhaustive search by absolute differences, a block to a workgroup, without trying every vector: a lower bound of the
// cost, from the sums of 4x4 blocks, rules most of them out. Needs vectors.wgsl, pels.wgsl, best.wgsl,
// full_search_bounds.wgsl and full_search_seeds.wgsl.
//
//     sad >= sum |sumA - sumB|            over the 4x4 blocks of the block
//
// The window is searched in tiles of TILE_QUADS * 4 by TILE_CHUNKS * 12 vectors. A thread keeps the bounds of twelve of
// them in registers: four abreast, three rows that lie four apart, so that a row of sums serves up to three of them.
//
//     row of sums      0  4  8  12 16 20
//     vector dy = 0    0  1  2  3            <- row of the block that meets it
//     vector dy = 4       0  1  2  3
//     vector dy = 8          0  1  2  3
//
// Of each tile: the bounds; the exact cost of the seeds, the lowest bound of every SEEDS-th thread, which gives a
// threshold; then the exact cost of the survivors, the vectors whose bound reaches it.

struct FullSearchParameters {
  /** Picture size in pels. */
  width: u32,
  height: u32,
  /** Words in a row of pels; a row of sums has as many entries. */
  pitch: u32,
  blockColumns: u32,
  /** Entries of the answer: blocks * CANDIDATES. */
  entries: u32,
  /** Largest |dx| and |dy| in pels. */
  rangeX: u32,
  rangeY: u32,
  /** First entry of the penalties by |dy|. */
  penaltyY: u32,
}

/** Side of a block in pels: 16 or 8. */
override BLOCK: u32;
/** K, the candidates returned per block, 1..8. */
override CANDIDATES: u32;
/** 1: vectors have penalties. */
override PENALISED: u32;
/** Size of a tile; TILE_QUADS * 4 * TILE_CHUNKS is at most THREADS. */
override TILE_QUADS: u32;
override TILE_CHUNKS: u32;

@group(0) @binding(0) var<uniform> parameters: FullSearchParameters;
/** Pels, four to a word. */
@group(0) @binding(1) var<storage, read> currentPels: array<u32>;
@group(0) @binding(2) var<storage, read> referencePels: array<u32>;
/** Sums of 4x4 blocks, four positions abreast to an entry: see block_sums.wgsl. */
@group(0) @binding(3) var<storage, read> currentSums: array<vec2u>;
@group(0) @binding(4) var<storage, read> referenceSums: array<vec2u>;
/** Cost of a vector by |dx|, then by |dy|. */
@group(0) @binding(5) var<storage, read> penalties: array<u32>;
/** The answer: `entries` packed vectors, then `entries` costs. */
@group(0) @binding(6) var<storage, read_write> field: array<u32>;

/** Rows of vectors in a chunk: three for each of four phases. */
const CHUNK_ROWS = 12u;
/** 4x4 blocks along the side of a block. */
override SIDE = BLOCK / 4u;
override TILE_COLUMNS = 4u * TILE_QUADS;
override TILE_ROWS = CHUNK_ROWS * TILE_CHUNKS;

/** Words in a row of the tile's pels, odd so that rows begin in different banks; rows of them. */
override PEL_PITCH = (TILE_QUADS + SIDE) | 1u;
override PEL_ROWS = TILE_ROWS + BLOCK - 1u;
override PEL_WORDS = PEL_PITCH * PEL_ROWS;

/** Rows of pels; 8x8 blocks use the first two words. */
var<workgroup> block: array<vec4u, BLOCK>;
/** What a row of the block adds to the metric whatever it meets, see row_cost. */
var<workgroup> blockShares: array<u32, BLOCK>;
/** What the tile's blocks cover of the reference. */
var<workgroup> tilePels: array<u32, PEL_WORDS>;
/** A row of 4x4 sums each; 8x8 blocks use the first two columns. */
var<workgroup> blockSums: array<vec4f, SIDE>;
/** Lowest bound of each group of threads, and the first vector by order that has it; then that vector's exact cost. */
var<workgroup> seedBounds: array<atomic<u32>, SEEDS>;
var<workgroup> seedOrders: array<atomic<u32>, SEEDS>;
var<workgroup> seedCosts: array<atomic<u32>, SEEDS>;
/** Orders of a round of survivors and their exact costs. */
var<workgroup> survivors: array<u32, PORTION>;
/** Those for whom the list has no room included. */
var<workgroup> survivorCount: atomic<u32>;
var<workgroup> costs: array<atomic<u32>, PORTION>;
/** What one thread tells all. */
var<workgroup> notice: u32;

/** A part of a window: the vector of its corner, which may lie left of the window, and its place in the reference. */
struct Tile {
  first: vec2i,
  x: u32,
  y: u32,
}

/** Bounds of twelve vectors from (dx, dy) on, a row each four rows; NOTHING.x for those outside the window. */
struct Bounds {
  dx: i32,
  dy: i32,
  top: vec4u,
  middle: vec4u,
  bottom: vec4u,
}

/** Sums at four neighbouring columns, and 4, 8, 12 to the right of them. */
struct SumsRow {
  first: vec4f,
  second: vec4f,
  third: vec4f,
  fourth: vec4f,
}

fn penalty(vector: vec2i) -> u32 {
  if (PENALISED == 0u) {
    return 0u;
  }
  return penalties[abs(vector.x)] + penalties[parameters.penaltyY + u32(abs(vector.y))];
}

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

/** Word `index` of the tile's pels; one behind the last is whatever there is. */
fn tile_word(tile: Tile, index: u32) -> u32 {
  return referencePels[(tile.y + index / PEL_PITCH) * parameters.pitch + tile.x / 4u + index % PEL_PITCH];
}

/** Four words at a time, so that four loads are under way: compilers do not unroll a loop that Dawn guards. */
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

/** What a word of the block adds to the metric whatever it meets. */
fn block_share(word: u32) -> u32 {
  return 0u - dot4U8Packed(word, ONES);
}

/**
 * What a word of the block adds to the metric beside `block_share` when it meets `word` of the reference:
 * sum |a - b| = 2 * sum max(a - b, 0) - sum a + sum b.
 */
fn word_cost(a: u32, b: u32) -> u32 {
  return 2u * dot4U8Packed(positive_differences(a, b), ONES) + dot4U8Packed(b, ONES);
}

/** The metric over one row of the block, for the vector at `place` of the tile. */
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

/** Does a seed come before the thread's own? Of seeds that are NOTHING, the first. */
fn is_before(other: u32, own: vec2u, thread: u32) -> bool {
  let seed = measured_seed(other);
  return precedes(seed, own) || (other < thread && all(seed == own));
}

/** Lists a vector whose bound reaches the threshold. What is left of the bound: NOTHING.x if it was listed. */
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

/** Lists those of four vectors from (dx, dy) on whose bound reaches the threshold; returns the bounds of the others. */
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

/** Tries one round of survivors and merges them. Returns whether there are more. Starts and ends with a barrier. */
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
    if (bestCount == CANDIDATES && precedes(best[front + CANDIDATES - 1u], threshold)) {
      threshold = best[front + CANDIDATES - 1u];
    }
  }
  workgroupBarrier();
  return true;
}

/** Exact costs of the survivors: a thread takes four rows of one. */
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

/** Can no bound of the tile reach what is kept already? The same in every thread. Ends with a barrier. */
fn is_hopeless(thread: u32) -> bool {
  if (thread == 0u) {
    var lowest = NOTHING.x;
    for (var group = 0u; group < SEEDS; group++) {
      lowest = min(lowest, atomicLoad(&seedBounds[group]));
    }
    notice = u32(bestCount == CANDIDATES && best[front + CANDIDATES - 1u].x < lowest);
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
  let size = vec2i(i32(parameters.width), i32(parameters.height));
  let window = search_window(vec2i(position), i32(BLOCK), size, vec2i(i32(parameters.rangeX), i32(parameters.rangeY)));
  forget_best(thread);
  load_block(thread, position);
  workgroupBarrier();

  // Tiles start at a multiple of four pels in the reference. In raster order, but from the one that holds the zero vector
  // on: its good matches spare the others work.
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

  if (thread < CANDIDATES) {
    let winner = best[front + min(thread, bestCount - 1u)];
    let entry = (group.y * parameters.blockColumns + group.x) * CANDIDATES + thread;
    field[entry] = packed_vector(vector_of(winner.y));
    field[parameters.entries + entry] = winner.x;
  }
}
