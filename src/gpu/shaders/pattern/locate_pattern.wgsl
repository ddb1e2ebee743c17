// Tries a pattern at every place of a picture: finds those whose sum of absolute differences is within the limit.
//
// A workgroup takes SIDE x SIDE places, a thread PLACES of them, one above the other. It goes down the pattern in
// portions of PORTION rows: loads their words and the part of the picture that they meet, compares, and ends as soon as
// no place of the workgroup can stay within the limit. The order of the answer is left open.
//
// A word has four components: those of four neighbouring gray pels, or of one coloured pel (the fourth is masked). In
// the tile there is a word for every pel of the picture, in gray with the three pels to its right, so that the words of
// a place lie `step` apart wherever it begins:
//
//     gray      step 4    | a b c d | b c d e | c d e f | ...
//     coloured  step 1    | R G B - | R G B - | R G B - | ...

struct LocateParameters {
  /** Places in a row and in a column of the picture. */
  columns: u32,
  rows: u32,
  /** Bytes of a pel of the picture: 1, 3 or 4. A row has `width` pels. */
  pelBytes: u32,
  width: u32,
  /** Pels from one word of the pattern to the next: 4 or 1. */
  step: u32,
  /** Words in a row of the pattern, and its rows. */
  patternWords: u32,
  patternRows: u32,
  /** The largest sum of a place that is found. */
  limit: u32,
  /** Places that the answer has room for. */
  capacity: u32,
}

/** Found places in any order: y * width + x and the sum of each. Those that there is no room for are counted only. */
struct FoundPlaces {
  count: atomic<u32>,
  reserved: u32,
  places: array<vec2u>,
}

/** Sizes of picture and pattern, the limit, and the room of the answer. */
@group(0) @binding(0) var<uniform> parameters: LocateParameters;
/** The words of the pattern, row by row, and behind them as many masks: 255 for each component that counts. */
@group(0) @binding(1) var<storage, read> pattern: array<u32>;
/** The picture's pels as bytes, row by row; a word of slack after the last. */
@group(0) @binding(2) var<storage, read> picture: array<u32>;
/** The answer. Its count is 0 before the first pass. */
@group(0) @binding(3) var<storage, read_write> answer: FoundPlaces;

const SIDE = 32u;
const PLACES = 4u;
const PORTION = 4u;
/** The largest width of a pattern in pels. */
const MAX_PATTERN = 64u;
const THREADS = SIDE * SIDE / PLACES;
const TILE_COLUMNS = SIDE + MAX_PATTERN - 1u;
const TILE_ROWS = SIDE + PORTION - 1u;

var<workgroup> tile: array<u32, TILE_COLUMNS * TILE_ROWS>;
var<workgroup> words: array<u32, MAX_PATTERN * PORTION>;
var<workgroup> masks: array<u32, MAX_PATTERN * PORTION>;
/** 1: a place of the workgroup can stay within the limit. */
var<workgroup> hasPlaces: atomic<u32>;
/** A copy of it, which all threads read. */
var<workgroup> notice: u32;

/** Four bytes of the picture from any byte on. Beyond its end they are of no meaning. */
fn picture_bytes(at: u32) -> u32 {
  return straddling(picture[at / 4u], picture[at / 4u + 1u], 8u * (at % 4u));
}

/** Loads the pattern's words of a portion, and the words of the picture that the places from `corner` on meet there. */
fn load_portion(thread: u32, corner: vec2u, firstRow: u32) {
  let rows = min(PORTION, parameters.patternRows - firstRow);
  let patternSize = parameters.patternWords * parameters.patternRows;
  for (var i = thread; i < rows * parameters.patternWords; i += THREADS) {
    let at = firstRow * parameters.patternWords + i;
    words[i] = pattern[at];
    masks[i] = pattern[patternSize + at];
  }
  let columns = SIDE + (parameters.patternWords - 1u) * parameters.step;
  for (var i = thread; i < columns * (SIDE + rows - 1u); i += THREADS) {
    let row = i / columns;
    let column = i % columns;
    let pel = (corner.y + firstRow + row) * parameters.width + corner.x + column;
    tile[row * TILE_COLUMNS + column] = picture_bytes(parameters.pelBytes * pel);
  }
}

/** `sums` plus the differences of a portion, for the places at `x` and the rows from `y` on in the tile. */
fn add_portion(sums: vec4u, x: u32, y: u32, rows: u32) -> vec4u {
  var total = sums;
  for (var row = 0u; row < rows; row++) {
    for (var i = 0u; i < parameters.patternWords; i++) {
      let word = words[row * parameters.patternWords + i];
      let mask = masks[row * parameters.patternWords + i];
      let at = (y + row) * TILE_COLUMNS + x + i * parameters.step;
      total.x = add_difference(total.x, word, tile[at] & mask);
      total.y = add_difference(total.y, word, tile[at + TILE_COLUMNS] & mask);
      total.z = add_difference(total.z, word, tile[at + 2u * TILE_COLUMNS] & mask);
      total.w = add_difference(total.w, word, tile[at + 3u * TILE_COLUMNS] & mask);
    }
  }
  return total;
}

/** Whether one of the sums can stay within the limit. The same in every thread. Starts and ends with a barrier. */
fn any_within(thread: u32, sums: vec4u) -> bool {
  if (thread == 0u) {
    atomicStore(&hasPlaces, 0u);
  }
  workgroupBarrier();
  if (min(min(sums.x, sums.y), min(sums.z, sums.w)) - BIAS <= parameters.limit) {
    atomicStore(&hasPlaces, 1u);
  }
  workgroupBarrier();
  if (thread == 0u) {
    notice = atomicLoad(&hasPlaces);
  }
  return workgroupUniformLoad(&notice) == 1u;
}

/** Adds a place to the answer if it lies in the picture and its sum is within the limit. */
fn add_place(place: vec2u, sum: u32) {
  if (sum > parameters.limit || place.x >= parameters.columns || place.y >= parameters.rows) {
    return;
  }
  let index = atomicAdd(&answer.count, 1u);
  if (index < parameters.capacity) {
    answer.places[index] = vec2u(place.y * parameters.width + place.x, sum);
  }
}

@compute @workgroup_size(THREADS)
fn locate_pattern(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let corner = group.xy * SIDE;
  let x = thread % SIDE;
  let y = thread / SIDE * PLACES;
  var sums = vec4u(BIAS);
  for (var row = 0u; row < parameters.patternRows; row += PORTION) {
    load_portion(thread, corner, row);
    workgroupBarrier();
    sums = add_portion(sums, x, y, min(PORTION, parameters.patternRows - row));
    if (!any_within(thread, sums)) {
      return;
    }
  }
  let place = corner + vec2u(x, y);
  add_place(place, sums.x - BIAS);
  add_place(place + vec2u(0u, 1u), sums.y - BIAS);
  add_place(place + vec2u(0u, 2u), sums.z - BIAS);
  add_place(place + vec2u(0u, 3u), sums.w - BIAS);
}
