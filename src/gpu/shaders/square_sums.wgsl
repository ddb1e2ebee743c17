// Sums of the squared pels of the block at every position of a picture: what squared_search takes its products from.
// One thread: four positions abreast, STRIP rows of them, sliding down.

struct SquareSumsParameters {
  /** Words in a row of pels. */
  pitch: u32,
  /** Rows of pels. */
  height: u32,
}

/** Side of a block in pels: 16 or 8. */
override BLOCK: u32;

@group(0) @binding(0) var<uniform> parameters: SquareSumsParameters;
/** Pels, four to a word, row by row; words of slack after the last. */
@group(0) @binding(1) var<storage, read> pels: array<u32>;
/** Sums of four positions abreast, a row for each row of pels; those whose block leaves the picture mean nothing. */
@group(0) @binding(2) var<storage, read_write> sums: array<vec4u>;

const STRIP = 8u;

fn squares(word: u32) -> u32 {
  return dot4U8Packed(word, word);
}

/** Sums over one row of four neighbouring blocks: each is its left neighbour's less the pel that goes and with the one that comes. */
fn row_squares(column: u32, y: u32) -> vec4u {
  let at = min(y, parameters.height - 1u) * parameters.pitch + column;
  var first = squares(pels[at]) + squares(pels[at + 1u]);
  if (BLOCK == 16u) {
    first += squares(pels[at + 2u]) + squares(pels[at + 3u]);
  }
  let gone = unpack4xU8(pels[at]);
  let come = unpack4xU8(pels[at + BLOCK / 4u]);
  let steps = come * come - gone * gone;
  let second = first + steps.x;
  let third = second + steps.y;
  return vec4u(first, second, third, third + steps.z);
}

@compute @workgroup_size(64)
fn square_sums(@builtin(global_invocation_id) id: vec3u) {
  let column = id.x;
  let top = id.y * STRIP;
  if (column >= parameters.pitch) {
    return;
  }
  var total = vec4u();
  for (var y = top; y < top + BLOCK; y++) {
    total += row_squares(column, y);
  }
  for (var y = top; y < min(top + STRIP, parameters.height); y++) {
    sums[y * parameters.pitch + column] = total;
    total += row_squares(column, y + BLOCK) - row_squares(column, y);
  }
}
