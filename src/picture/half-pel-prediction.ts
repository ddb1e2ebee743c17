// Predicted pels between the pels of a picture; ISO/IEC 11172-2 §2.4.4.2.

/** The pel at (x + halfX / 2, y + halfY / 2), halfX and halfY 0 or 1: the mean of 1, 2 or 4 pels, halves rounded up. */
export function halfPel(pels: Uint8Array, at: number, stride: number, halfX: number, halfY: number): number {
  const right = at + halfX;
  const below = at + halfY * stride;
  return (pels[at] + pels[right] + pels[below] + pels[below + halfX] + 2) >> 2;
}

/** A square block of such pels; reads one column and row more where halfX and halfY are 1. */
export function predictBlock(
  pels: Uint8Array,
  target: number,
  targetStride: number,
  source: number,
  sourceStride: number,
  size: number,
  halfX: number,
  halfY: number,
): void {
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      pels[target + y * targetStride + x] = halfPel(pels, source + y * sourceStride + x, sourceStride, halfX, halfY);
    }
  }
}
