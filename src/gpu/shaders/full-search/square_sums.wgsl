// Makes the sum of squared pels over the block at every position of a picture, which full_search_sse needs.
//
// One thread makes the sums at four neighbouring columns and STRIP_ROWS rows, from the top down.

struct SquareSumsParameters {
  /** Words in a row of pels. */
  pitch: u32,
  /** Rows of pels. */
  height: u32,
}

/** Side of a block in pels: 16 or 8. */
override BLOCK: u32;

/** Size of the picture. */
@group(0) @binding(0) var<uniform> parameters: SquareSumsParameters;
/** Pels, four to a word, row by row; four words of slack after the last. */
@group(0) @binding(1) var<storage, read> pels: array<u32>;
/** Sums at four columns to an entry, a row for each row of pels. A block that leaves the picture has no valid sum. */
@group(0) @binding(2) var<storage, read_write> sums: array<vec4u>;

/** Threads of a workgroup, side by side. */
const GROUP_WORDS = 64u;
const STRIP_ROWS = 8u;

/** Sum of the squares of four pels. */
fn squares(word: u32) -> u32 {
  return dot4U8Packed(word, word);
}

/**
 * Sums over one row of four neighbouring blocks. Each is the sum to its left, less the square of the pel that leaves
 * the block, plus the square of the pel that enters it.
 */
fn row_squares(column: u32, y: u32) -> vec4u {
  let at = min(y, parameters.height - 1u) * parameters.pitch + column;
  var first = squares(pels[at]) + squares(pels[at + 1u]);
  if (BLOCK == 16u) {
    first += squares(pels[at + 2u]) + squares(pels[at + 3u]);
  }
  let leaving = unpack4xU8(pels[at]);
  let entering = unpack4xU8(pels[at + BLOCK / 4u]);
  let steps = entering * entering - leaving * leaving;
  let second = first + steps.x;
  let third = second + steps.y;
  return vec4u(first, second, third, third + steps.z);
}

@compute @workgroup_size(GROUP_WORDS)
fn square_sums(@builtin(global_invocation_id) id: vec3u) {
  let column = id.x;
  let top = id.y * STRIP_ROWS;
  if (column >= parameters.pitch) {
    return;
  }
  var total = vec4u();
  for (var y = top; y < top + BLOCK; y++) {
    total += row_squares(column, y);
  }
  for (var y = top; y < min(top + STRIP_ROWS, parameters.height); y++) {
    sums[y * parameters.pitch + column] = total;
    total += row_squares(column, y + BLOCK) - row_squares(column, y);
  }
}
