// The inverse DCT, with the arithmetic of the decoder that streams are checked against.

/**
 * sqrt(2) * 2^14 * cos(k * pi / 16), rounded, by k, but one less for k = 4: the constants of the integer IDCT that
 * libavcodec decodes with by default. The standard leaves the IDCT open within the accuracy of IEEE 1180; to equal
 * the decoder's picture bit for bit, a reconstruction must share the decoder's arithmetic.
 */
export const INVERSE_COSINES = [23170, 22725, 21407, 19266, 16383, 12873, 8867, 4520] as const;
const [, W1, W2, W3, W4, W5, W6, W7] = INVERSE_COSINES;

const ROW_SHIFT = 11;
const COLUMN_SHIFT = 20;
/** A row that has only its first coefficient is scaled exactly, by this shift. */
const DC_SHIFT = 3;
/** Rounding of the column pass, in units of W4: 32 * 16383, a little less than the half, 2^19. */
const COLUMN_ROUNDING = W4 * ((1 << (COLUMN_SHIFT - 1)) / (W4 + 1));

/** Even half (a) and odd half (b) of an 8-point inverse transform of x[at], x[at + step], ... in 32-bit arithmetic. */
function butterfly(
  x: ArrayLike<number>,
  at: number,
  step: number,
  rounding: number,
  a: Int32Array,
  b: Int32Array,
): void {
  const [x0, x1, x2, x3, x4, x5, x6, x7] = [0, 1, 2, 3, 4, 5, 6, 7].map(i => x[at + i * step]);
  a[0] = W4 * x0 + W2 * x2 + W4 * x4 + W6 * x6 + rounding;
  a[1] = W4 * x0 + W6 * x2 - W4 * x4 - W2 * x6 + rounding;
  a[2] = W4 * x0 - W6 * x2 - W4 * x4 + W2 * x6 + rounding;
  a[3] = W4 * x0 - W2 * x2 + W4 * x4 - W6 * x6 + rounding;
  b[0] = W1 * x1 + W3 * x3 + W5 * x5 + W7 * x7;
  b[1] = W3 * x1 - W7 * x3 - W1 * x5 - W5 * x7;
  b[2] = W5 * x1 - W1 * x3 + W7 * x5 + W3 * x7;
  b[3] = W7 * x1 - W5 * x3 + W3 * x5 - W1 * x7;
}

/**
 * The row pass alone: coefficients column by column (`u * 8 + v`) into rows `v` of 8 intermediate values (`v * 8 +
 * x`), not yet narrowed to 16 bits. Decoders keep them in int16 and disagree where they do not fit; see
 * decoder-range.ts.
 */
export function inverseDctRows(coefficients: ArrayLike<number>): Int32Array {
  const rows = new Int32Array(64);
  const a = new Int32Array(4);
  const b = new Int32Array(4);
  for (let v = 0; v < 8; v++) {
    let rest = 0;
    for (let u = 1; u < 8; u++) rest |= coefficients[u * 8 + v];
    if (rest === 0) {
      rows.fill(coefficients[v] << DC_SHIFT, v * 8, v * 8 + 8);
      continue;
    }
    butterfly(coefficients, v, 8, 1 << (ROW_SHIFT - 1), a, b);
    for (let i = 0; i < 4; i++) {
      rows[v * 8 + i] = (a[i] + b[i]) >> ROW_SHIFT;
      rows[v * 8 + 7 - i] = (a[i] - b[i]) >> ROW_SHIFT;
    }
  }
  return rows;
}

/**
 * Inverse DCT: 64 coefficients column by column into 64 residuals by row; ISO/IEC 11172-2 Annex A, IEEE 1180
 * accuracy.
 */
export function inverseDct8x8(coefficients: ArrayLike<number>): Int32Array {
  const rows = inverseDctRows(coefficients).map(value => Math.max(-32768, Math.min(32767, value)));
  const residual = new Int32Array(64);
  const a = new Int32Array(4);
  const b = new Int32Array(4);
  for (let x = 0; x < 8; x++) {
    butterfly(rows, x, 8, COLUMN_ROUNDING, a, b);
    for (let i = 0; i < 4; i++) {
      residual[i * 8 + x] = (a[i] + b[i]) >> COLUMN_SHIFT;
      residual[(7 - i) * 8 + x] = (a[i] - b[i]) >> COLUMN_SHIFT;
    }
  }
  return residual;
}
