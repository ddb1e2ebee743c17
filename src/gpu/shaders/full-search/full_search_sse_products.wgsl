// Part of full_search_sse: loads the blocks and the tile, and makes sum ab of a thread's vectors.
//
// A thread reads each row of the reference once and multiplies it with up to ROWS rows of the block, one for each of
// its vectors. So arithmetic takes the time, not memory.
//
//     row of the reference     0  1  2 ... 10 11 12 ... 25
//     vector dy = 0            0  1  2 ... 10 11 12        <- row of the block that is multiplied with it
//     vector dy = 1               0  1 ...  9 10 11
//     vector dy = 10                        0  1  2 ... 15

/** Neighbouring blocks that a workgroup searches. */
override BLOCKS: u32;
/** Size of a tile: COLUMNS by ROWS * CHUNKS vectors. */
override COLUMNS: u32;
override CHUNKS: u32;

/** Vectors of a thread. */
const ROWS = 11u;
/**
 * Pels in a row of the tile: those its vectors lead to, and up to three more on the left, so that it starts at a word.
 */
override TILE_PITCH = 4u * ((BLOCK * BLOCKS + COLUMNS + 2u) / 4u);
override TILE_ROWS = ROWS * CHUNKS + BLOCK - 1u;
override TILE_SIZE = TILE_PITCH * TILE_ROWS;

/** The blocks, one after the other: rows of pels. 8x8 blocks use the first two words. */
var<workgroup> blocks: array<vec4u, BLOCK * BLOCKS>;
/** For every pel of the tile the four pels that start with it, so that no thread has to put words together. */
var<workgroup> tile: array<u32, TILE_SIZE>;

/** A number for each of a thread's vectors, from the top down; the last one of `third` is unused. */
struct Column {
  first: vec4u,
  second: vec4u,
  third: vec4u,
}

/** Loads the blocks of the workgroup, the first of which is at `position`. */
fn load_blocks(thread: u32, position: vec2u) {
  for (var index = thread; index < BLOCK * BLOCKS; index += THREADS) {
    let x = position.x + index / BLOCK * BLOCK;
    let at = (position.y + index % BLOCK) * parameters.pitch + x / 4u;
    var row = vec4u(currentPels[at], currentPels[at + 1u], 0u, 0u);
    if (BLOCK == 16u) {
      row.z = currentPels[at + 2u];
      row.w = currentPels[at + 3u];
    }
    blocks[index] = row;
  }
}

/** Loads the tile, whose first pel is at `corner` of the reference. Pels outside the picture are of no meaning. */
fn load_tile(thread: u32, corner: vec2i) {
  let words = TILE_PITCH / 4u;
  for (var index = thread; index < words * TILE_ROWS; index += THREADS) {
    let y = min(corner.y + i32(index / words), i32(parameters.height) - 1);
    let at = u32(y * i32(parameters.pitch) + corner.x / 4) + index % words;
    let low = referencePels[at];
    let high = referencePels[at + 1u];
    tile[4u * index] = low;
    tile[4u * index + 1u] = (low >> 8u) | (high << 24u);
    tile[4u * index + 2u] = (low >> 16u) | (high << 16u);
    tile[4u * index + 3u] = (low >> 24u) | (high << 8u);
  }
}

/** The pels of the tile from `at` on, as many as a block is wide. */
fn tile_row(at: u32) -> vec4u {
  if (BLOCK == 8u) {
    return vec4u(tile[at], tile[at + 4u], 0u, 0u);
  }
  return vec4u(tile[at], tile[at + 4u], tile[at + 8u], tile[at + 12u]);
}

/** `sum` plus the products of two rows. */
fn add_products(sum: u32, a: vec4u, b: vec4u) -> u32 {
  let left = sum + dot4U8Packed(a.x, b.x) + dot4U8Packed(a.y, b.y);
  if (BLOCK == 8u) {
    return left;
  }
  return left + dot4U8Packed(a.z, b.z) + dot4U8Packed(a.w, b.w);
}

/** `sums` plus the products of a row of the block with r0 for the first vector, r1 for the second, and so on. */
fn add_row(
  sums: Column, row: vec4u, r0: vec4u, r1: vec4u, r2: vec4u, r3: vec4u, r4: vec4u, r5: vec4u, r6: vec4u, r7: vec4u, r8: vec4u,
  r9: vec4u, r10: vec4u,
) -> Column {
  var more = sums;
  more.first.x = add_products(sums.first.x, row, r0);
  more.first.y = add_products(sums.first.y, row, r1);
  more.first.z = add_products(sums.first.z, row, r2);
  more.first.w = add_products(sums.first.w, row, r3);
  more.second.x = add_products(sums.second.x, row, r4);
  more.second.y = add_products(sums.second.y, row, r5);
  more.second.z = add_products(sums.second.z, row, r6);
  more.second.w = add_products(sums.second.w, row, r7);
  more.third.x = add_products(sums.third.x, row, r8);
  more.third.y = add_products(sums.third.y, row, r9);
  more.third.z = add_products(sums.third.z, row, r10);
  return more;
}

/** The sums of products of the block whose rows start at `block`; the first vector leads to `at` in the tile. */
fn products(block: u32, at: u32) -> Column {
  var sums = Column();
  let r0 = tile_row(at);
  let r1 = tile_row(at + TILE_PITCH);
  let r2 = tile_row(at + 2u * TILE_PITCH);
  let r3 = tile_row(at + 3u * TILE_PITCH);
  let r4 = tile_row(at + 4u * TILE_PITCH);
  let r5 = tile_row(at + 5u * TILE_PITCH);
  let r6 = tile_row(at + 6u * TILE_PITCH);
  let r7 = tile_row(at + 7u * TILE_PITCH);
  let r8 = tile_row(at + 8u * TILE_PITCH);
  let r9 = tile_row(at + 9u * TILE_PITCH);
  let r10 = tile_row(at + 10u * TILE_PITCH);
  sums = add_row(sums, blocks[block], r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10);
  let r11 = tile_row(at + 11u * TILE_PITCH);
  sums = add_row(sums, blocks[block + 1u], r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11);
  let r12 = tile_row(at + 12u * TILE_PITCH);
  sums = add_row(sums, blocks[block + 2u], r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12);
  let r13 = tile_row(at + 13u * TILE_PITCH);
  sums = add_row(sums, blocks[block + 3u], r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13);
  let r14 = tile_row(at + 14u * TILE_PITCH);
  sums = add_row(sums, blocks[block + 4u], r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14);
  let r15 = tile_row(at + 15u * TILE_PITCH);
  sums = add_row(sums, blocks[block + 5u], r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15);
  let r16 = tile_row(at + 16u * TILE_PITCH);
  sums = add_row(sums, blocks[block + 6u], r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16);
  let r17 = tile_row(at + 17u * TILE_PITCH);
  sums = add_row(sums, blocks[block + 7u], r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17);
  if (BLOCK == 16u) {
    let r18 = tile_row(at + 18u * TILE_PITCH);
    sums = add_row(sums, blocks[block + 8u], r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r18);
    let r19 = tile_row(at + 19u * TILE_PITCH);
    sums = add_row(sums, blocks[block + 9u], r9, r10, r11, r12, r13, r14, r15, r16, r17, r18, r19);
    let r20 = tile_row(at + 20u * TILE_PITCH);
    sums = add_row(sums, blocks[block + 10u], r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, r20);
    let r21 = tile_row(at + 21u * TILE_PITCH);
    sums = add_row(sums, blocks[block + 11u], r11, r12, r13, r14, r15, r16, r17, r18, r19, r20, r21);
    let r22 = tile_row(at + 22u * TILE_PITCH);
    sums = add_row(sums, blocks[block + 12u], r12, r13, r14, r15, r16, r17, r18, r19, r20, r21, r22);
    let r23 = tile_row(at + 23u * TILE_PITCH);
    sums = add_row(sums, blocks[block + 13u], r13, r14, r15, r16, r17, r18, r19, r20, r21, r22, r23);
    let r24 = tile_row(at + 24u * TILE_PITCH);
    sums = add_row(sums, blocks[block + 14u], r14, r15, r16, r17, r18, r19, r20, r21, r22, r23, r24);
    let r25 = tile_row(at + 25u * TILE_PITCH);
    sums = add_row(sums, blocks[block + 15u], r15, r16, r17, r18, r19, r20, r21, r22, r23, r24, r25);
  }
  return sums;
}
