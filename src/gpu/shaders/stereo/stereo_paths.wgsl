// Makes the path costs of all eight directions.
//
// A workgroup goes along LINES scan lines of one direction, a pel at a time; the second dimension is the direction.
// Each thread keeps the costs of four disparities. What the threads of a line need of each other, the costs beside
// their four and the least of all, goes through workgroup memory, in two halves by turns. Costs are loaded some pels
// ahead.
//
//     4 2 6
//     0 p 1        the neighbours from which the paths come, by direction
//     7 3 5

/** Words of a pel: its disparities / 4. */
override WORDS: u32;
/** Scan lines of a workgroup. */
override LINES: u32;
override THREADS: u32;

/** As stereo_features makes them; only the pels of the left picture are read here. */
@group(0) @binding(1) var<storage, read> features: array<vec2u>;
/** As stereo_costs makes them. */
@group(0) @binding(2) var<storage, read> costs: array<u32>;
/** P2 by the difference of two pels: 256 words. */
@group(0) @binding(3) var<storage, read> penalties: array<u32>;
/** Path costs, four to a word, as the costs; one direction after the other. */
@group(0) @binding(4) var<storage, read_write> paths: array<u32>;

/** Pels that are loaded ahead. */
const AHEAD = 4;
/** Larger than any path cost. */
const NONE = 255u;

/** In each half a word for each thread: the costs of its first and last disparity and its least cost, a byte each. */
var<workgroup> borders: array<u32, 2u * THREADS>;
/** P2 by the difference of two pels. */
var<workgroup> penaltyOf: array<u32, 256>;

/** The step from a pel to the next along a direction. */
fn step_of(direction: u32) -> vec2i {
  switch direction {
    case 0u: { return vec2i(1, 0); }
    case 1u: { return vec2i(-1, 0); }
    case 2u: { return vec2i(0, 1); }
    case 3u: { return vec2i(0, -1); }
    case 4u: { return vec2i(1, 1); }
    case 5u: { return vec2i(-1, -1); }
    case 6u: { return vec2i(-1, 1); }
    default: { return vec2i(1, -1); }
  }
}

/** The first pel of a line. Diagonal lines start along the first row, and then along the first column. */
fn start_of(line: i32, step: vec2i) -> vec2i {
  let last = vec2i(i32(parameters.width), i32(parameters.height)) - 1;
  let first = select(vec2i(0), last, step < vec2i(0));
  if (step.y == 0) {
    return vec2i(first.x, line);
  }
  if (line <= last.x) {
    return vec2i(line, first.y);
  }
  if (step.x == 0) {
    return vec2i(-1); // there is no such line
  }
  return vec2i(first.x, first.y + step.y * (line - last.x));
}

fn is_inside(pel: vec2i) -> bool {
  return all(pel >= vec2i(0)) && pel.x < i32(parameters.width) && pel.y < i32(parameters.height);
}

/** The value of a pel and four of its costs, word number `word`; zeros outside the picture. */
fn load(pel: vec2i, word: u32) -> vec2u {
  if (!is_inside(pel)) {
    return vec2u();
  }
  let index = u32(pel.y) * parameters.width + u32(pel.x);
  return vec2u(features[index].x >> 24u, costs[index * WORDS + word]);
}

@compute @workgroup_size(THREADS)
fn stereo_paths(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  for (var difference = thread; difference < 256u; difference += THREADS) {
    penaltyOf[difference] = penalties[difference];
  }
  let direction = group.y;
  let step = step_of(direction);
  let word = thread % WORDS;
  let lineOfGroup = thread / WORDS;
  let firstWord = direction * parameters.width * parameters.height * WORDS;
  var pel = start_of(i32(group.x * LINES + lineOfGroup), step);
  var length = min(parameters.width, parameters.height);
  if (step.y == 0) {
    length = parameters.width;
  } else if (step.x == 0) {
    length = parameters.height;
  }
  var queue = array<vec2u, AHEAD>();
  for (var ahead = 0; ahead < AHEAD; ahead++) {
    queue[ahead] = load(pel + ahead * step, word);
  }
  var four = vec4u();
  var least = 0u;
  var before = 0u;
  var p2 = 0u; // where a path begins, a step costs nothing: all disparities are alike
  workgroupBarrier();
  for (var number = 0u; number < length; number++) {
    let next = queue[0];
    queue[0] = queue[1];
    queue[1] = queue[2];
    queue[2] = queue[3];
    queue[3] = load(pel + AHEAD * step, word);
    let half = (number & 1u) * THREADS;
    let other = THREADS - half;
    if (number > 0u) {
      let first = other + lineOfGroup * WORDS;
      p2 = penaltyOf[max(next.x, before) - min(next.x, before)];
      least = NONE;
      for (var neighbour = 0u; neighbour < WORDS; neighbour++) {
        least = min(least, borders[first + neighbour] >> 16u);
      }
      let below = select(NONE, (borders[first + max(word, 1u) - 1u] >> 8u) & 0xffu, word > 0u);
      let above = select(NONE, borders[first + min(word + 1u, WORDS - 1u)] & 0xffu, word < WORDS - 1u);
      let steps = min(vec4u(below, four.xyz), vec4u(four.yzw, above)) + parameters.p1;
      four = min(min(four, steps), vec4u(least + p2)) - least;
    }
    four += unpack4xU8(next.y);
    let ownLeast = min(min(four.x, four.y), min(four.z, four.w));
    borders[half + thread] = four.x | (four.w << 8u) | (ownLeast << 16u);
    if (is_inside(pel)) {
      let index = u32(pel.y) * parameters.width + u32(pel.x);
      paths[firstWord + index * WORDS + word] = pack4xU8(four);
    }
    before = next.x;
    pel += step;
    workgroupBarrier();
  }
}
