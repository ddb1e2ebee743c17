// The answer of a search, laid out as a motion field is in TypeScript: it is copied there as it is.
//
//     | costs, u32 each | dx, 16 bits each | dy, 16 bits each |        `parameters.entries` of each

/**
 * Writes 16 bits; `index` counts halves of words. Another workgroup may write the other half of the word at the same
 * time: each changes its own bits alone.
 */
fn write_half(index: u32, value: i32) {
  let shift = 16u * (index & 1u);
  atomicAnd(&field[index / 2u], 0xffff0000u >> shift);
  atomicOr(&field[index / 2u], (u32(value) & 0xffffu) << shift);
}

/** Writes an entry of the answer. */
fn write_entry(entry: u32, cost: u32, vector: vec2i) {
  atomicStore(&field[entry], cost);
  write_half(2u * parameters.entries + entry, vector.x);
  write_half(3u * parameters.entries + entry, vector.y);
}
