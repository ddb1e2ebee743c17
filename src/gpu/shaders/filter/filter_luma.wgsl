// The temporal filter of a plane of luma, as src/picture/temporal-filter.ts defines it.
//
// A workgroup filters a macroblock, and a thread four pels of it that lie side by side.

struct FilterParameters {
  /** Macroblocks in a row and in a column. */
  mbWidth: u32,
  mbHeight: u32,
  /** References, 0..4. */
  count: u32,
  /** Bit i: the vectors of reference i lead from it to the picture. */
  reversed: u32,
  /** How differences count: see TEMPORAL_FILTER in src/kernels/records/picture-planes.ts. */
  pelLimit: u32,
  pelFactor: u32,
  pelSquare: u32,
  maxSquares: u32,
  /** What the weight of each reference is derived from. */
  strength0: u32,
  strength1: u32,
  strength2: u32,
  strength3: u32,
}

/** The size, and how the references count. */
@group(0) @binding(0) var<uniform> parameters: FilterParameters;
/** The picture: four pels to a word, row by row. */
@group(0) @binding(1) var<storage, read> current: array<u32>;
/** The references, laid out in the same way. Any picture stands for one that is not there. */
@group(0) @binding(2) var<storage, read> reference0: array<u32>;
@group(0) @binding(3) var<storage, read> reference1: array<u32>;
@group(0) @binding(4) var<storage, read> reference2: array<u32>;
@group(0) @binding(5) var<storage, read> reference3: array<u32>;
/** dx, then dy of each reference in pels: an i16 for each macroblock, two to a word; each starts at a whole word. */
@group(0) @binding(6) var<storage, read> vectors: array<u32>;
/** The filtered picture, laid out as the others. */
@group(0) @binding(7) var<storage, read_write> filtered: array<u32>;

const THREADS = 64u;
const MAX_REFERENCES = 4u;
/** What a pel of the picture itself counts. */
const OWN_WEIGHT = 256;

/** Matches that are tried in a reference: by the own vector, and by those of the neighbours. */
const TRIED = 5u;
/** Sums of a reference: SADs of these matches; squares of the best one, of those around it, and between pels. */
const SQUARES = TRIED;
const BETWEEN = SQUARES + 5u;
const SUMS = BETWEEN + 1u;
/** Where the macroblocks lie whose vectors are tried. */
const NEIGHBOURS = array(vec2i(0, 0), vec2i(-1, 0), vec2i(1, 0), vec2i(0, -1), vec2i(0, 1));

/** The window around a match: its words in a row, its rows, and where the match begins, in pels. */
const WINDOW_WORDS = 6u;
const WINDOW_ROWS = 22u;
const WINDOW_START = vec2i(4, 3);
/** Rows -2..18 of a block, which the taps along its columns reach. */
const TAP_ROWS = 21u;

/** The first pels of the matches that are tried, of one reference after the other. */
var<workgroup> places: array<vec2i, MAX_REFERENCES * TRIED>;
/** The sums of all references. */
var<workgroup> sums: array<atomic<u32>, MAX_REFERENCES * SUMS>;
/** Pels around the match. What lies outside the plane is some pel of it, and does not count. */
var<workgroup> window: array<u32, WINDOW_WORDS * WINDOW_ROWS>;
/** Rows that are interpolated along themselves, four words each. */
var<workgroup> tapRows: array<u32, 4u * TAP_ROWS>;

/** Word `index` of a reference; outside the plane, the nearest one. */
fn reference_word(reference: u32, index: i32) -> u32 {
  let at = clamp(index, 0, i32(64u * parameters.mbWidth * parameters.mbHeight) - 1);
  switch reference {
    case 0u: { return reference0[at]; }
    case 1u: { return reference1[at]; }
    case 2u: { return reference2[at]; }
    default: { return reference3[at]; }
  }
}

/** The four pels of a reference from a place on. */
fn reference_pels(reference: u32, place: vec2i) -> u32 {
  let at = place.y * i32(16u * parameters.mbWidth) + place.x;
  let word = at >> 2u;
  return straddling(reference_word(reference, word), reference_word(reference, word + 1), 8u * u32(at & 3));
}

/** The four pels of the window from a place on. */
fn window_pels(place: vec2i) -> u32 {
  let word = u32(place.y) * WINDOW_WORDS + u32(place.x) / 4u;
  return straddling(window[word], window[word + 1u], 8u * u32(place.x & 3));
}

/** Component `number` of the vectors (dx, then dy of each reference) at a macroblock. */
fn component(number: u32, macroblock: u32) -> i32 {
  let words = (parameters.mbWidth * parameters.mbHeight + 1u) / 2u;
  return extractBits(bitcast<i32>(vectors[number * words + macroblock / 2u]), 16u * (macroblock & 1u), 16u);
}

/** Where the vector of macroblock `other` leads from the block at `position`. */
fn place_by(reference: u32, position: vec2i, other: vec2i) -> vec2i {
  let macroblock = u32(other.y) * parameters.mbWidth + u32(other.x);
  let vector = vec2i(component(2u * reference, macroblock), component(2u * reference + 1u, macroblock));
  return position + select(vector, -vector, ((parameters.reversed >> reference) & 1u) == 1u);
}

fn is_in_plane(place: vec2i, size: vec2i) -> bool {
  return all(place >= vec2i(0)) && all(place + 16 <= size);
}

/** The match that is tried as number 0..4 in a reference. One that is not to be tried is the first, once more. */
fn tried_place(reference: u32, number: u32, macroblock: vec2i) -> vec2i {
  let macroblocks = vec2i(i32(parameters.mbWidth), i32(parameters.mbHeight));
  let size = 16 * macroblocks;
  let position = 16 * macroblock;
  let own = place_by(reference, position, macroblock);
  let first = select(position, own, is_in_plane(own, size));
  let neighbours = NEIGHBOURS;
  let other = macroblock + neighbours[number];
  if (any(other < vec2i(0)) || any(other >= macroblocks)) {
    return first;
  }
  let place = place_by(reference, position, other);
  return select(first, place, number > 0u && is_in_plane(place, size));
}

/** The sum of absolute differences of four pels. */
fn absolute_differences(a: u32, b: u32) -> u32 {
  return dot4U8Packed(positive_differences(a, b) | positive_differences(b, a), ONES);
}

/** The sum of squared differences of four pels. */
fn squared_differences(a: u32, b: u32) -> u32 {
  return add_difference(0u, a, b);
}

/** The match with the least SAD, the first of equals. */
fn best_place(reference: u32) -> vec2i {
  let first = TRIED * reference;
  var best = places[first];
  var least = atomicLoad(&sums[SUMS * reference]);
  for (var number = 1u; number < TRIED; number++) {
    let place = places[first + number];
    let sad = atomicLoad(&sums[SUMS * reference + number]);
    if (any(place != places[first]) && sad < least) {
      best = place;
      least = sad;
    }
  }
  return best;
}

/** Where a parabola through three sums of squared differences is lowest, in quarter-pels, -2..2. */
fn lowest_quarter(before: i32, here: i32, after: i32) -> i32 {
  let curvature = before + after - 2 * here;
  if (curvature <= 0) {
    return 0;
  }
  let slope = 2 * (before - after);
  return sign(slope) * min((2 * abs(slope) + curvature) / (2 * curvature), 2);
}

/** Sum `number` of the squares around the match: here, left, right, above, below. */
fn squares_around(reference: u32, number: u32) -> i32 {
  return i32(atomicLoad(&sums[SUMS * reference + SQUARES + number]));
}

/** How far the best place between pels is from the match, in quarter-pels; 0 where its taps leave the plane. */
fn best_quarters(reference: u32, place: vec2i) -> vec2i {
  let last = 16 * vec2i(i32(parameters.mbWidth), i32(parameters.mbHeight)) - 16;
  let here = squares_around(reference, 0u);
  let lowest = vec2i(
    lowest_quarter(squares_around(reference, 1u), here, squares_around(reference, 2u)),
    lowest_quarter(squares_around(reference, 3u), here, squares_around(reference, 4u)),
  );
  let quarters = select(lowest, vec2i(0), (place == vec2i(0)) | (place == last));
  let first = place + (quarters >> vec2u(2u));
  let isInside = (quarters == vec2i(0)) | ((first >= vec2i(2)) & (first + 3 <= last));
  return select(vec2i(0), quarters, all(isInside));
}

/** The six taps of the filter for a position in quarter-pels, over the pels -2..+3, in 64ths. */
fn taps_of(quarters: i32) -> array<i32, 6> {
  switch quarters & 3 {
    case 0: { return array(0, 0, 64, 0, 0, 0); }
    case 1: { return array(3, -10, 58, 17, -5, 1); }
    case 2: { return array(3, -11, 40, 40, -11, 3); }
    default: { return array(1, -5, 17, 58, -10, 3); }
  }
}

/** Four pels of 64ths, rounded. */
fn rounded(pels: vec4i) -> u32 {
  return pack4xU8(vec4u(clamp((pels + 32) >> vec4u(6u), vec4i(0), vec4i(255))));
}

fn pels_of(word: u32) -> vec4i {
  return vec4i(unpack4xU8(word));
}

/** Interpolates the rows around the match along themselves. */
fn interpolate_rows(thread: u32, quarters: vec2i) {
  var taps = taps_of(quarters.x);
  let start = WINDOW_START - 2 + (quarters >> vec2u(2u));
  for (var index = thread; index < 4u * TAP_ROWS; index += THREADS) {
    let place = start + vec2i(vec2u(4u * (index % 4u), index / 4u));
    var sum = vec4i(0);
    for (var tap = 0; tap < 6; tap++) {
      sum += taps[tap] * pels_of(window_pels(place + vec2i(tap, 0)));
    }
    tapRows[index] = rounded(sum);
  }
}

/** The thread's four pels, interpolated along the columns of these rows. */
fn interpolated_pels(thread: u32, quarters: i32) -> u32 {
  var taps = taps_of(quarters);
  var sum = vec4i(0);
  for (var tap = 0u; tap < 6u; tap++) {
    sum += taps[tap] * pels_of(tapRows[thread + 4u * tap]);
  }
  return rounded(sum);
}

fn strength_of(reference: u32) -> u32 {
  switch reference {
    case 0u: { return parameters.strength0; }
    case 1u: { return parameters.strength1; }
    case 2u: { return parameters.strength2; }
    default: { return parameters.strength3; }
  }
}

/**
 * What the pels of a reference count at most, by the squared differences of its block. Its nearness,
 * 1 - squares / maxSquares in 2^-15 units, is found in two steps, which fit 32 bits.
 */
fn weight_of(reference: u32, squares: u32) -> i32 {
  if (squares >= parameters.maxSquares) {
    return 0;
  }
  let whole = (squares << 8u) / parameters.maxSquares;
  let rest = (squares << 8u) % parameters.maxSquares;
  let nearness = 32768u - ((whole << 7u) + (rest << 7u) / parameters.maxSquares);
  return i32((((nearness * nearness) >> 15u) * strength_of(reference)) >> 15u);
}

/** What four pels of a reference count that differ so much from the picture's. */
fn counts_of(differences: vec4i, weight: i32) -> vec4i {
  let squares = differences * differences;
  let nearness = (i32(parameters.pelSquare) - i32(parameters.pelFactor) * squares) >> vec4u(7u);
  let counts = (((nearness * nearness) >> vec4u(8u)) * weight) >> vec4u(8u);
  return select(vec4i(0), counts, abs(differences) < vec4i(i32(parameters.pelLimit)));
}

/** weighted / weights, rounded; a half is rounded up. No quotient is below -255. */
fn quotients(weighted: vec4i, weights: vec4i) -> vec4i {
  return (2 * weighted + 513 * weights) / (2 * weights) - 256;
}

@compute @workgroup_size(THREADS)
fn filter_luma(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let macroblock = vec2i(group.xy);
  let offset = vec2i(vec2u(4u * (thread % 4u), thread / 4u));
  let at = (16u * group.y + thread / 4u) * 4u * parameters.mbWidth + 4u * group.x + thread % 4u;
  let own = current[at];
  let ownPels = pels_of(own);
  let count = parameters.count;
  if (thread < MAX_REFERENCES * SUMS) {
    atomicStore(&sums[thread], 0u);
  }
  if (thread < count * TRIED) {
    places[thread] = tried_place(thread / TRIED, thread % TRIED, macroblock);
  }
  workgroupBarrier();
  for (var index = 0u; index < count * TRIED; index++) {
    let reference = index / TRIED;
    let number = index % TRIED;
    if (number == 0u || any(places[index] != places[TRIED * reference])) {
      let pels = reference_pels(reference, places[index] + offset);
      atomicAdd(&sums[SUMS * reference + number], absolute_differences(own, pels));
    }
  }
  workgroupBarrier();
  var weighted = vec4i(0);
  var weights = vec4i(OWN_WEIGHT);
  for (var reference = 0u; reference < count; reference++) {
    let place = best_place(reference);
    for (var index = thread; index < WINDOW_WORDS * WINDOW_ROWS; index += THREADS) {
      let inWindow = vec2i(vec2u(4u * (index % WINDOW_WORDS), index / WINDOW_WORDS));
      window[index] = reference_pels(reference, place - WINDOW_START + inWindow);
    }
    workgroupBarrier();
    let neighbours = NEIGHBOURS;
    let first = SUMS * reference;
    for (var number = 0u; number < 5u; number++) {
      let pels = window_pels(WINDOW_START + offset + neighbours[number]);
      atomicAdd(&sums[first + SQUARES + number], squared_differences(own, pels));
    }
    var pels = window_pels(WINDOW_START + offset);
    workgroupBarrier();
    let quarters = best_quarters(reference, place);
    let isBetween = any(quarters != vec2i(0));
    if (isBetween) {
      interpolate_rows(thread, quarters);
    }
    workgroupBarrier();
    var between = pels;
    if (isBetween) {
      between = interpolated_pels(thread, quarters.y);
    }
    atomicAdd(&sums[first + BETWEEN], squared_differences(own, between));
    workgroupBarrier();
    let here = atomicLoad(&sums[first + SQUARES]);
    let nearer = atomicLoad(&sums[first + BETWEEN]);
    if (nearer < here) {
      pels = between;
    }
    let differences = pels_of(pels) - ownPels;
    let counts = counts_of(differences, weight_of(reference, min(here, nearer)));
    weighted += counts * differences;
    weights += counts;
  }
  filtered[at] = pack4xU8(vec4u(ownPels + quotients(weighted, weights)));
}
