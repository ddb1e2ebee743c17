// Predicted pels between the pels of a picture; ISO/IEC 11172-2 §2.4.4.2.

/**
 * (a + b + c + d + 2) >> 2 of unsigned bytes: the mean of two rounded means, less one where both roundings were too
 * much.
 */
// @ts-ignore: decorator
@inline
export function averageOfFour(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = v128.avgr<u8>(a, b);
  const cd = v128.avgr<u8>(c, d);
  const inexact = v128.or(v128.xor(a, b), v128.xor(c, d));
  const excess = v128.and(v128.and(inexact, v128.xor(ab, cd)), i8x16.splat(1));
  return v128.sub<u8>(v128.avgr<u8>(ab, cd), excess);
}

/** 16 pels at (x + halfX / 2, y + halfY / 2), halfX and halfY 0 or 1. */
// @ts-ignore: decorator
@inline
export function halfPelRow(at: usize, stride: usize, halfX: i32, halfY: i32): v128 {
  if (halfY == 0) {
    return halfX == 0 ? v128.load(at) : v128.avgr<u8>(v128.load(at), v128.load(at + 1));
  }
  if (halfX == 0) return v128.avgr<u8>(v128.load(at), v128.load(at + stride));
  return averageOfFour(v128.load(at), v128.load(at + 1), v128.load(at + stride), v128.load(at + stride + 1));
}

// @ts-ignore: decorator
@inline
function predictRows(
  target: usize,
  targetStride: usize,
  source: usize,
  stride: usize,
  size: i32,
  halfX: i32,
  halfY: i32,
): void {
  if (size == 16) {
    for (let y = 0; y < 16; y++) {
      v128.store(target, halfPelRow(source, stride, halfX, halfY));
      target += targetStride;
      source += stride;
    }
  } else {
    for (let y = 0; y < 8; y++) {
      v128.store64_lane(target, halfPelRow(source, stride, halfX, halfY), 0);
      target += targetStride;
      source += stride;
    }
  }
}

/**
 * A square block of half-pel predicted pels; `size` is 8 or 16. Reads one column and row more where halfX and halfY
 * are 1.
 */
export function predictBlock(
  target: usize,
  targetStride: usize,
  source: usize,
  stride: usize,
  size: i32,
  halfX: i32,
  halfY: i32,
): void {
  // One copy of the loop per case, so that the case is not tested in every row.
  if (halfX == 0) {
    if (halfY == 0) predictRows(target, targetStride, source, stride, size, 0, 0);
    else predictRows(target, targetStride, source, stride, size, 0, 1);
  } else {
    if (halfY == 0) predictRows(target, targetStride, source, stride, size, 1, 0);
    else predictRows(target, targetStride, source, stride, size, 1, 1);
  }
}

/** Copies a square block. */
export function copyBlock(target: usize, targetStride: usize, source: usize, sourceStride: usize, size: i32): void {
  predictRows(target, targetStride, source, sourceStride, size, 0, 0);
}
