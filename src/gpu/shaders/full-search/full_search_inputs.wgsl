// The inputs and the answer that the two exhaustive searches share; bindings 3 and 4, the sums, are in their own files.

struct FullSearchParameters {
  /** Size of the pictures in pels. */
  width: u32,
  height: u32,
  /** Words in a row of pels: width / 4. */
  pitch: u32,
  /** Blocks in a row. */
  blockColumns: u32,
  /** Vectors of the answer: blocks * CANDIDATES. */
  entries: u32,
  /** Largest |dx| and |dy| in pels. */
  rangeX: u32,
  rangeY: u32,
  /** First entry of the penalties by |dy|. */
  penaltyY: u32,
}

/** Side of a block in pels: 16 or 8. */
override BLOCK: u32;
/** K, the vectors returned per block, 1..64. */
override CANDIDATES: u32;
/** False: all penalties are 0. */
override HAS_PENALTIES: bool;

/** Sizes, the search range, and the layout of the answer. */
@group(0) @binding(0) var<uniform> parameters: FullSearchParameters;
/** Pels of the current picture, four to a word, row by row; four words of slack after the last. */
@group(0) @binding(1) var<storage, read> currentPels: array<u32>;
/** Pels of the reference, laid out in the same way. */
@group(0) @binding(2) var<storage, read> referencePels: array<u32>;
/** Penalties in cost units: by |dx| in pels from entry 0 on, by |dy| from entry `penaltyY` on. */
@group(0) @binding(5) var<storage, read> penalties: array<u32>;
/** The answer, see field_entry.wgsl. */
@group(0) @binding(6) var<storage, read_write> field: array<atomic<u32>>;

/** The vectors to search for the block at `position`, in pels. */
fn window_of_block(position: vec2i) -> Window {
  let size = vec2i(i32(parameters.width), i32(parameters.height));
  return search_window(position, i32(BLOCK), size, vec2i(i32(parameters.rangeX), i32(parameters.rangeY)));
}
