// The forward DCT in integers.

/** 2^14 * cos(k * pi / 16), rounded, by k: half the cosines of the orthonormal 8-point DCT, times 2^15. */
export const COSINES = [16384, 16069, 15137, 13623, 11585, 9102, 6270, 3196] as const;

/**
 * Squared errors of forward coefficients are this times those of pels: a forward coefficient is 8 times that of Annex
 * A, whose transform keeps squared errors.
 */
export const SQUARED_ERROR_SCALE = 64;

/** Orthonormal 8-point DCT basis by [frequency][sample], times 2^15; row 0 is 1 / sqrt(8). */
const BASIS: readonly (readonly number[])[] = Array.from({ length: 8 }, (_, k) =>
  Array.from({ length: 8 }, (_, n) => (k === 0 ? COSINES[4] : cosine((2 * n + 1) * k))),
);

/** 2^14 * cos(angle * pi / 16) for a whole `angle`, taken from COSINES by symmetry. */
function cosine(angle: number): number {
  const turn = angle % 32;
  const half = turn > 16 ? 32 - turn : turn;
  if (half === 8) return 0;
  return half < 8 ? COSINES[half] : -COSINES[16 - half];
}

/**
 * Forward DCT of a residual, ISO/IEC 11172-2 Annex A in integers: 8x8 differences by row into coefficients times 8,
 * column by column (`u * 8 + v`). The vertical pass keeps four fractional bits, the horizontal pass three; both round
 * halves up. Exact within 0.15 of a unit.
 */
export function forwardDct8x8(residual: ArrayLike<number>): Int16Array {
  const half = new Int32Array(64);
  for (let v = 0; v < 8; v++) {
    for (let x = 0; x < 8; x++) {
      let sum = 0;
      for (let y = 0; y < 8; y++) sum += BASIS[v][y] * residual[y * 8 + x];
      half[v * 8 + x] = (sum + (1 << 10)) >> 11;
    }
  }
  const coefficients = new Int16Array(64);
  for (let u = 0; u < 8; u++) {
    for (let v = 0; v < 8; v++) {
      let sum = 0;
      for (let x = 0; x < 8; x++) sum += BASIS[u][x] * half[v * 8 + x];
      coefficients[u * 8 + v] = (sum + (1 << 15)) >> 16;
    }
  }
  return coefficients;
}
