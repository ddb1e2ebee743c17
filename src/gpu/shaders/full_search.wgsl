// Exhaustive search of one block by one workgroup, without trying every vector: a lower bound of the cost, from the sums
// of 4x4 blocks, rules most of them out. Needs vectors.wgsl, pels.wgsl, best.wgsl.
//
//     sad >= sum |sumA - sumB|            over the 4x4 blocks of the block
//     sse >= sum (sumA - sumB)^2 / 16
//
// The window is searched in tiles. Of each tile: bounds of all vectors; the exact cost of the vectors with the lowest
// bounds, which gives a threshold; then the exact cost of the vectors whose bound reaches it.

struct FullSearchParameters {
  /** Picture size in pels. */
  width: u32,
  height: u32,
  /** Words in a row of pels; a row of sums has twice as many. */
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
/** Vectors of a tile along each axis. */
override TILE_COLUMNS: u32;
override TILE_ROWS: u32;

@group(0) @binding(0) var<uniform> parameters: FullSearchParameters;
/** Pels, four to a word. */
@group(0) @binding(1) var<storage, read> currentPels: array<u32>;
@group(0) @binding(2) var<storage, read> referencePels: array<u32>;
/** Sums of 4x4 blocks, two positions to a word: see block_sums.wgsl. */
@group(0) @binding(3) var<storage, read> currentSums: array<u32>;
@group(0) @binding(4) var<storage, read> referenceSums: array<u32>;
/** Cost of a vector by |dx|, then by |dy|. */
@group(0) @binding(5) var<storage, read> penalties: array<u32>;
/** The answer: `entries` packed vectors, then `entries` costs. */
@group(0) @binding(6) var<storage, read_write> field: array<u32>;

/** A candidate's exact cost is made by this many threads, each taking the rows of one 4x4 block. */
const PARTS = 4u;
/** 4x4 blocks along the side of a block, and rows of pels in a part. */
override SIDE = BLOCK / 4u;
override PEL_PITCH = ((TILE_COLUMNS + BLOCK + 5u) / 4u) | 1u;
override PEL_ROWS = TILE_ROWS + BLOCK - 1u;
override SUM_PITCH = (TILE_COLUMNS + BLOCK - 2u) & ~1u;
override SUM_ROWS = TILE_ROWS + BLOCK - 4u;
override TILE = TILE_COLUMNS * TILE_ROWS;

var<workgroup> block: array<u32, BLOCK * SIDE>;
var<workgroup> blockSums: array<f32, SIDE * SIDE>;
var<workgroup> tilePels: array<u32, PEL_PITCH * PEL_ROWS>;
/** Sums of the tile as biased f32, in bits; later the list of survivors takes their place. */
var<workgroup> tileSums: array<u32, SUM_PITCH * SUM_ROWS>;
/** By vector of the tile: the bound, later the exact cost. */
var<workgroup> costs: array<atomic<u32>, TILE>;
var<workgroup> seedCosts: array<atomic<u32>, SEEDS>;
var<workgroup> survivorCount: atomic<u32>;

/** A part of a window: its first vector, its size in vectors, where its first block lies in the reference. */
struct Tile {
  first: vec2i,
  columns: u32,
  rows: u32,
  x: u32,
  y: u32,
}

fn penalty(vector: vec2i) -> u32 {
  return penalties[abs(vector.x)] + penalties[parameters.penaltyY + u32(abs(vector.y))];
}

fn sum_of_pair(word: u32, x: u32) -> u32 {
  return BIAS | ((word >> (16u * (x & 1u))) & 0xffffu);
}

fn load_block(thread: u32, position: vec2u) {
  for (var index = thread; index < BLOCK * SIDE; index += THREADS) {
    block[index] = currentPels[(position.y + index / SIDE) * parameters.pitch + position.x / 4u + index % SIDE];
  }
  if (thread < SIDE * SIDE) {
    let x = position.x + 4u * (thread % SIDE);
    let y = position.y + 4u * (thread / SIDE);
    blockSums[thread] = bitcast<f32>(sum_of_pair(currentSums[y * 2u * parameters.pitch + x / 2u], x));
  }
}

/** Copies what a tile's blocks cover: pels from a multiple of four on, sums from an even column on. */
fn load_tile(thread: u32, tile: Tile) {
  let words = ((tile.x & 3u) + tile.columns + BLOCK + 2u) / 4u;
  let lastWord = parameters.pitch - 1u;
  for (var index = thread; index < PEL_PITCH * (tile.rows + BLOCK - 1u); index += THREADS) {
    let column = index % PEL_PITCH;
    if (column < words) {
      tilePels[index] = referencePels[(tile.y + index / PEL_PITCH) * parameters.pitch + min(tile.x / 4u + column, lastWord)];
    }
  }
  let pairs = SUM_PITCH / 2u;
  for (var index = thread; index < pairs * (tile.rows + BLOCK - 4u); index += THREADS) {
    let column = min(tile.x / 2u + index % pairs, 2u * parameters.pitch - 1u);
    let pair = referenceSums[(tile.y + index / pairs) * 2u * parameters.pitch + column];
    tileSums[2u * index] = sum_of_pair(pair, 0u);
    tileSums[2u * index + 1u] = sum_of_pair(pair, 1u);
  }
}

/** `bound` with the differences of a row of 4x4 sums added: biased for sad, see BIAS. */
fn add_bound(bound: f32, sumsAt: u32, row: u32) -> f32 {
  var total = bound;
  for (var column = 0u; column < SIDE; column++) {
    let d = bitcast<f32>(tileSums[sumsAt + 4u * column]) - blockSums[row * SIDE + column];
    total += select(abs(d), d * d, METRIC == 1u);
  }
  return total;
}

/** The finished bound as an integer, never above the metric. The factor outweighs the rounding of 16 squares' sum. */
fn bound_as_cost(bound: f32) -> u32 {
  if (METRIC == 1u) {
    return u32(bound * (0.0625 * 0.99999));
  }
  return bitcast<u32>(bound) - BIAS;
}

/**
 * Bounds of the whole tile into `costs`, penalties included; returns the thread's own lowest. A thread takes every
 * fourth vector of a column, so that a row of sums serves up to four of them at once:
 *
 *     row of sums      0  4  8  12 16
 *     vector dy = 0    0  1  2  3          <- row of the block that meets it
 *     vector dy = 4       0  1  2  3
 */
fn bound_tile(thread: u32, tile: Tile) -> vec2u {
  var lowest = NOTHING;
  let start = select(bitcast<f32>(BIAS), 0.0, METRIC == 1u);
  for (var task = thread; task < 4u * tile.columns; task += THREADS) {
    let column = task % tile.columns;
    let phase = task / tile.columns;
    let dx = tile.first.x + i32(column);
    let penaltyX = penalties[abs(dx)];
    let sumsColumn = column + (tile.x & 1u);
    var third = start;
    var second = start;
    var first = start;
    for (var row = phase; row < tile.rows + BLOCK - 4u; row += 4u) {
      let sumsAt = row * SUM_PITCH + sumsColumn;
      var whole = 0.0;
      if (SIDE == 4u) {
        whole = add_bound(third, sumsAt, 3u);
        third = add_bound(second, sumsAt, 2u);
        second = add_bound(first, sumsAt, 1u);
      } else {
        whole = add_bound(first, sumsAt, 1u);
      }
      first = add_bound(start, sumsAt, 0u);
      if (row >= phase + BLOCK - 4u) {
        let tileRow = row - (BLOCK - 4u);
        let dy = tile.first.y + i32(tileRow);
        let cost = bound_as_cost(whole) + penaltyX + penalties[parameters.penaltyY + u32(abs(dy))];
        atomicStore(&costs[tileRow * TILE_COLUMNS + column], cost);
        if (cost <= lowest.x) {
          let candidate = vec2u(cost, order_of(vec2i(dx, dy)));
          if (precedes(candidate, lowest)) {
            lowest = candidate;
          }
        }
      }
    }
  }
  return lowest;
}

/** The metric over one part of a block: SIDE rows, against the block at (column, row) of the tile. */
fn part_cost(tile: Tile, column: u32, row: u32, part: u32) -> u32 {
  let x = column + (tile.x & 3u);
  let shift = 8u * (x & 3u);
  var sum = BIAS;
  for (var line = 0u; line < SIDE; line++) {
    let y = part * SIDE + line;
    let at = (row + y) * PEL_PITCH + x / 4u;
    var low = tilePels[at];
    for (var word = 0u; word < SIDE; word++) {
      let high = tilePels[at + word + 1u];
      sum = add_difference(sum, block[y * SIDE + word], straddling(low, high, shift));
      low = high;
    }
  }
  return sum - BIAS;
}

/** Replaces the seeds' bounds by their exact costs. Starts and ends with a barrier. */
fn measure_seeds(thread: u32, tile: Tile) {
  if (thread < SEEDS) {
    atomicStore(&seedCosts[thread], 0u);
  }
  workgroupBarrier();
  for (var task = thread; task < SEEDS * PARTS; task += THREADS) {
    let seed = seeds[task / PARTS];
    if (seed.y != NOTHING.y) {
      let place = vec2u(vector_of(seed.y) - tile.first);
      atomicAdd(&seedCosts[task / PARTS], part_cost(tile, place.x, place.y, task % PARTS));
    }
  }
  workgroupBarrier();
  if (thread < SEEDS && seeds[thread].y != NOTHING.y) {
    seeds[thread].x = atomicLoad(&seedCosts[thread]) + penalty(vector_of(seeds[thread].y));
  }
  workgroupBarrier();
}

fn tile_vector(tile: Tile, index: u32) -> vec2i {
  return tile.first + vec2i(vec2u(index % TILE_COLUMNS, index / TILE_COLUMNS));
}

/** Lists the vectors whose bound reaches the threshold, and puts their exact costs into `costs`. Ends with a barrier. */
fn measure_survivors(thread: u32, tile: Tile) {
  for (var index = thread; index < TILE_COLUMNS * tile.rows; index += THREADS) {
    if (index % TILE_COLUMNS < tile.columns) {
      let bound = atomicLoad(&costs[index]);
      if (bound <= threshold.x) {
        let vector = tile_vector(tile, index);
        if (!precedes(threshold, vec2u(bound, order_of(vector)))) {
          tileSums[atomicAdd(&survivorCount, 1u)] = index;
          atomicStore(&costs[index], penalty(vector));
        }
      }
    }
  }
  workgroupBarrier();
  let tasks = PARTS * atomicLoad(&survivorCount);
  for (var task = thread; task < tasks; task += THREADS) {
    let index = tileSums[task / PARTS];
    atomicAdd(&costs[index], part_cost(tile, index % TILE_COLUMNS, index / TILE_COLUMNS, task % PARTS));
  }
  workgroupBarrier();
}

var<workgroup> survivorsToMerge: u32;

/** Searches one tile and merges its best into `best`. Starts and ends with a barrier. */
fn search_tile(thread: u32, tile: Tile) {
  load_tile(thread, tile);
  if (thread == 0u) {
    atomicStore(&survivorCount, 0u);
  }
  workgroupBarrier();
  gather_seeds(thread, bound_tile(thread, tile));
  measure_seeds(thread, tile);
  set_threshold(thread, CANDIDATES);
  measure_survivors(thread, tile);
  if (thread == 0u) {
    survivorsToMerge = atomicLoad(&survivorCount);
  }
  let survivors = workgroupUniformLoad(&survivorsToMerge);
  for (var portion = 0u; portion < survivors; portion += PORTION) {
    for (var entry = portion + thread; entry < min(portion + PORTION, survivors); entry += THREADS) {
      let index = tileSums[entry];
      propose(vec2u(atomicLoad(&costs[index]), order_of(tile_vector(tile, index))));
    }
    merge_finalists(thread, CANDIDATES);
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

  // Tiles in raster order, but from the one that holds the zero vector on: its good matches spare the others work.
  let extent = vec2u(window.last - window.first) + 1u;
  let tiles = (extent + vec2u(TILE_COLUMNS, TILE_ROWS) - 1u) / vec2u(TILE_COLUMNS, TILE_ROWS);
  let middle = vec2u(-window.first) / vec2u(TILE_COLUMNS, TILE_ROWS);
  let tileCount = tiles.x * tiles.y;
  for (var turn = 0u; turn < tileCount; turn++) {
    let number = (middle.y * tiles.x + middle.x + turn) % tileCount;
    let corner = vec2u(number % tiles.x, number / tiles.x) * vec2u(TILE_COLUMNS, TILE_ROWS);
    let first = window.first + vec2i(corner);
    let at = vec2u(vec2i(position) + first);
    search_tile(thread, Tile(first, min(TILE_COLUMNS, extent.x - corner.x), min(TILE_ROWS, extent.y - corner.y), at.x, at.y));
  }

  if (thread < CANDIDATES) {
    let winner = best[front + min(thread, bestCount - 1u)];
    let entry = (group.y * parameters.blockColumns + group.x) * CANDIDATES + thread;
    field[entry] = packed_vector(vector_of(winner.y));
    field[parameters.entries + entry] = winner.x;
  }
}
