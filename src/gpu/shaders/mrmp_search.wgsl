// `gpu-mrmp`: the multiresolution multi-predictor search; a workgroup searches one block at all levels.
//
// At the coarsest level every vector of the window is tried, and the best are kept. At each finer level the
// neighbourhoods of the doubled vectors are tried.

/** Most resolutions. */
const MAX_LEVELS = 4u;

struct Level {
  /** Size of the level in pels. */
  width: u32,
  height: u32,
  /** Words in a row of pels. */
  pitch: u32,
  /** First word of the level in the pyramid of a picture. */
  offset: u32,
  /** Largest |dx| and |dy| in pels of the level. */
  rangeX: u32,
  rangeY: u32,
  reservedX: u32,
  reservedY: u32,
}

struct MrmpParameters {
  /** Blocks in a row. */
  blockColumns: u32,
  /** Vectors of the answer: blocks * CANDIDATES. */
  entries: u32,
  /** First entry of the penalties by |dy|. */
  penaltyY: u32,
  reserved: u32,
  /** The full resolution is the first. */
  levels: array<Level, MAX_LEVELS>,
}

/** Side of a block at full resolution in pels: 16 or 8. */
override BLOCK: u32;
/** K, the vectors returned per block, 1..64. */
override CANDIDATES: u32;
/** Number of resolutions, 1..4. */
override LEVELS: u32;
/** Vectors kept at each level but the finest, 1..64. */
override PREDICTORS: u32;
/** Reach of the search around a doubled vector: a neighbourhood has (2 * RADIUS + 1)^2 vectors. */
override RADIUS: u32;

/** The levels, and the layout of the answer. */
@group(0) @binding(0) var<uniform> parameters: MrmpParameters;
/** The pyramid of the current picture: pels, four to a word, row by row; two words of slack after the last level. */
@group(0) @binding(1) var<storage, read> current: array<u32>;
/** The pyramid of the reference, laid out in the same way. */
@group(0) @binding(2) var<storage, read> reference: array<u32>;
/** Penalties in cost units: by |dx| in pels of the full resolution, then by |dy| from entry `penaltyY` on. */
@group(0) @binding(3) var<storage, read> penalties: array<u32>;
/** The answer, see field_entry.wgsl. */
@group(0) @binding(4) var<storage, read_write> field: array<atomic<u32>>;

/** Threads that share a candidate at each level but the coarsest; a thread takes a quarter of the rows. */
const PARTS = 4u;
/** Candidates of a portion at a finer level; at most PORTION. */
override NEAR_PORTION: u32;

/** The block at the level being searched: rows of words. */
var<workgroup> block: array<u32, BLOCK * BLOCK / 4u>;
/**
 * The costs of the portion being searched. At the coarsest level the first ones of all quads come first, then the
 * second ones, and so on; NOTHING.x for what is not to be tried.
 */
var<workgroup> costs: array<atomic<u32>, PORTION>;
/** At a finer level, their orders (see vectors.wgsl); NOTHING.y for what is not to be tried. */
var<workgroup> orders: array<u32, NEAR_PORTION>;
/** The predictors: vectors kept at the next coarser level, in its pels. */
var<workgroup> kept: array<vec2i, KEPT>;
var<workgroup> keptCount: u32;

fn block_side(level: u32) -> u32 {
  return BLOCK >> level;
}

/** Words in a row of a block; a block of two pels takes half a word. */
fn block_words(level: u32) -> u32 {
  return max(1u, block_side(level) / 4u);
}

fn row_mask(level: u32) -> u32 {
  return select(0xffffffffu, 0xffffu, block_side(level) == 2u);
}

/** The four pels at (x, y) of a level of the current picture, x even. */
fn current_word(level: u32, x: u32, y: u32) -> u32 {
  let plane = parameters.levels[level];
  let at = plane.offset + y * plane.pitch + x / 4u;
  return straddling(current[at], current[at + 1u], 8u * (x & 3u));
}

/** Loads the block at `position` of a level. */
fn load_block(thread: u32, level: u32, position: vec2u) {
  let words = block_words(level);
  for (var index = thread; index < block_side(level) * words; index += THREADS) {
    block[index] = current_word(level, position.x + 4u * (index % words), position.y + index / words) & row_mask(level);
  }
}

/** The metric of `rows` rows of the block from `firstRow` on, for its match at `place` in the reference. */
fn rows_cost(level: u32, place: vec2u, firstRow: u32, rows: u32) -> u32 {
  let plane = parameters.levels[level];
  let words = block_words(level);
  let mask = row_mask(level);
  let shift = 8u * (place.x & 3u);
  var sum = BIAS;
  for (var row = firstRow; row < firstRow + rows; row++) {
    let at = plane.offset + (place.y + row) * plane.pitch + place.x / 4u;
    var low = reference[at];
    for (var word = 0u; word < words; word++) {
      let high = reference[at + word + 1u];
      sum = add_difference(sum, block[row * words + word], straddling(low, high, shift) & mask);
      low = high;
    }
  }
  return sum - BIAS;
}

/**
 * The penalty of a vector of a level in cost units. It falls with the pels of the block: to a quarter for each level.
 */
fn penalty(level: u32, vector: vec2i) -> u32 {
  let distance = vec2u(abs(vector)) << vec2u(level);
  return (penalties[distance.x] + penalties[parameters.penaltyY + distance.y]) >> (2u * level);
}

/** The vectors to search for the block at `position` of a level. */
fn level_window(level: u32, position: vec2u) -> Window {
  let plane = parameters.levels[level];
  let range = vec2i(i32(plane.rangeX), i32(plane.rangeY));
  return search_window(vec2i(position), i32(block_side(level)), vec2i(i32(plane.width), i32(plane.height)), range);
}

/** Whether `vector` is in the neighbourhood of one of the first `count` doubled predictors. */
fn already_tried(vector: vec2i, count: u32) -> bool {
  for (var index = 0u; index < count; index++) {
    if (all(abs(vector - 2 * kept[index]) <= vec2i(i32(RADIUS)))) {
      return true;
    }
  }
  return false;
}

/** The order of candidate `number` at a finer level, around its predictor; NOTHING.y if it is illegal or was tried. */
fn neighbour_candidate(number: u32, window: Window) -> u32 {
  let side = 2u * RADIUS + 1u;
  let predictor = number / (side * side);
  let step = vec2i(vec2u(number % side, (number / side) % side)) - i32(RADIUS);
  let vector = 2 * kept[predictor] + step;
  if (any(vector < window.first) || any(vector > window.last) || already_tried(vector, predictor)) {
    return NOTHING.y;
  }
  return order_of(vector);
}

/**
 * Merges the portion of a finer level into the best. A small portion needs no threshold. Starts and ends with a
 * barrier.
 */
fn select_from_portion(thread: u32, count: u32, keep: u32) {
  workgroupBarrier();
  if (count > THREADS) {
    var lowest = NOTHING;
    for (var index = thread; index < count; index += THREADS) {
      let candidate = vec2u(atomicLoad(&costs[index]), orders[index]);
      if (orders[index] != NOTHING.y && precedes(candidate, lowest)) {
        lowest = candidate;
      }
    }
    gather_seeds(thread, lowest);
    set_threshold(thread, keep);
  } else {
    if (thread == 0u) {
      threshold = NOTHING;
    }
    workgroupBarrier();
  }
  for (var index = thread; index < count; index += THREADS) {
    if (orders[index] != NOTHING.y) {
      propose(vec2u(atomicLoad(&costs[index]), orders[index]));
    }
  }
  merge_finalists(thread, keep);
}

/** Tries the neighbourhoods of the predictors at a finer level and keeps the best in `best`. */
fn search_near(thread: u32, level: u32, position: vec2u, keep: u32) {
  let window = level_window(level, position);
  let total = workgroupUniformLoad(&keptCount) * (2u * RADIUS + 1u) * (2u * RADIUS + 1u);
  let partRows = block_side(level) / PARTS;
  for (var portion = 0u; portion < total; portion += NEAR_PORTION) {
    let count = min(NEAR_PORTION, total - portion);
    for (var index = thread; index < count; index += THREADS) {
      let order = neighbour_candidate(portion + index, window);
      orders[index] = order;
      if (order != NOTHING.y) {
        atomicStore(&costs[index], penalty(level, vector_of(order)));
      }
    }
    workgroupBarrier();
    // Few candidates of many pels: threads share one.
    for (var task = thread; task < count * PARTS; task += THREADS) {
      let index = task / PARTS;
      let order = orders[index];
      if (order != NOTHING.y) {
        let place = vec2u(vec2i(position) + vector_of(order));
        atomicAdd(&costs[index], rows_cost(level, place, (task % PARTS) * partRows, partRows));
      }
    }
    select_from_portion(thread, count, keep);
  }
}

/** Makes `best` the predictors of the next level and forgets it. Ends with a barrier. */
fn keep_best(thread: u32) {
  if (thread < bestCount) {
    kept[thread] = vector_of(best_at(thread).y);
  }
  if (thread == 0u) {
    keptCount = bestCount;
  }
  workgroupBarrier();
  forget_best(thread);
  workgroupBarrier();
}

@compute @workgroup_size(THREADS)
fn mrmp_search(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  forget_best(thread);
  workgroupBarrier();
  for (var turn = 0u; turn < LEVELS; turn++) {
    let level = LEVELS - 1u - turn;
    let position = group.xy * block_side(level);
    load_block(thread, level, position);
    keep_best(thread);
    let keep = select(PREDICTORS, CANDIDATES, level == 0u);
    if (level == COARSEST) {
      search_coarsest(thread, position, keep);
    } else {
      search_near(thread, level, position, keep);
    }
  }
  write_best(thread, group.y * parameters.blockColumns + group.x);
}
