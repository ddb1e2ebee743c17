// Makes the sum of the 4x4 block at every position of a picture, from which full_search computes its bounds.
//
// One thread makes the sums at four neighbouring columns and STRIP_ROWS rows, from the top down.

struct BlockSumsParameters {
  /** Words in a row of pels; a row of sums has twice as many. */
  pitch: u32,
  /** Rows of pels. */
  height: u32,
}

/** Size of the picture. */
@group(0) @binding(0) var<uniform> parameters: BlockSumsParameters;
/** Pels, four to a word, row by row; a word of slack after the last. */
@group(0) @binding(1) var<storage, read> pels: array<u32>;
/** Sums (0..4080), two to a word, a row for each row of pels. A block that leaves the picture has no valid sum. */
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

/** Threads of a workgroup, side by side. */
const GROUP_WORDS = 64u;
const STRIP_ROWS = 8u;

/** Sums of four neighbouring pels that start at pels 0, 1, 2 and 3 of `low`, two to a word. */
fn row_sums(low: u32, high: u32) -> vec2u {
  let ones = 0x01010101u;
  let at0 = dot4U8Packed(low, ones);
  let at1 = dot4U8Packed((low >> 8u) | (high << 24u), ones);
  let at2 = dot4U8Packed((low >> 16u) | (high << 16u), ones);
  let at3 = dot4U8Packed((low >> 24u) | (high << 8u), ones);
  return vec2u(at0 | (at1 << 16u), at2 | (at3 << 16u));
}

fn row_sums_at(column: u32, y: u32) -> vec2u {
  let word = min(y, parameters.height - 1u) * parameters.pitch + column;
  return row_sums(pels[word], pels[word + 1u]);
}

@compute @workgroup_size(GROUP_WORDS)
fn block_sums(@builtin(global_invocation_id) id: vec3u) {
  let column = id.x;
  let top = id.y * STRIP_ROWS;
  if (column >= parameters.pitch) {
    return;
  }
  var first = row_sums_at(column, top);
  var second = row_sums_at(column, top + 1u);
  var third = row_sums_at(column, top + 2u);
  for (var y = top; y < min(top + STRIP_ROWS, parameters.height); y++) {
    let fourth = row_sums_at(column, y + 3u);
    let total = first + second + third + fourth;
    let word = 2u * (y * parameters.pitch + column);
    sums[word] = total.x;
    sums[word + 1u] = total.y;
    first = second;
    second = third;
    third = fourth;
  }
}
