// The default quantizer matrices; ISO/IEC 11172-2 §2.4.3.2. Weights 1..255, column by column (`u * 8 + v`).

/** The default intra matrix as printed: by row, `v * 8 + u`. It is not quite symmetric. */
const DEFAULT_INTRA_BY_ROW = [
  8, 16, 19, 22, 26, 27, 29, 34, 16, 16, 22, 24, 27, 29, 34, 37, 19, 22, 26, 27, 29, 34, 34, 38, 22, 22, 26, 27, 29, 34,
  37, 40, 22, 26, 27, 29, 32, 35, 40, 48, 26, 27, 29, 32, 35, 40, 48, 58, 26, 27, 29, 34, 38, 46, 56, 69, 27, 29, 35,
  38, 46, 56, 69, 83,
];

/** Transposes an 8x8 array: by row to column by column, and back. */
export function transposeBlock(block: ArrayLike<number>): Uint8Array {
  return Uint8Array.from({ length: 64 }, (_, i) => block[(i % 8) * 8 + (i >> 3)]!);
}

export const DEFAULT_INTRA_MATRIX: Uint8Array = transposeBlock(DEFAULT_INTRA_BY_ROW);
export const DEFAULT_NON_INTRA_MATRIX: Uint8Array = new Uint8Array(64).fill(16);
