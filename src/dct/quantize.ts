/** The standard's zigzag scan as positions in a block kept column by column (`u * 8 + v`); ISO/IEC 11172-2 §2.4.4.1. */
export const SCAN: readonly number[] = zigzag();

/**
 * Walks the block along its antidiagonals, turning at the edges:
 *
 *     0  1  5  6 14 ...        -> u
 *     2  4  7 13 ...
 *     3  8 12 ...
 *     9 11 ...                 | v
 */
function zigzag(): number[] {
  const order: number[] = [];
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    for (let step = 0; step <= diagonal; step++) {
      const u = diagonal % 2 === 0 ? step : diagonal - step;
      const v = diagonal - u;
      if (u < 8 && v < 8) order.push(u * 8 + v);
    }
  }
  return order;
}

/**
 * |reconstruction| of a non-zero AC or non-intra level, `scale` = quantizer_scale * weight: truncated, then made odd toward
 * zero; ISO/IEC 11172-2 §2.4.4.1 (intra) and §2.4.4.2. Can be 0 for tiny weights; such a level must not be used.
 */
export function dequantizeMagnitude(magnitude: number, scale: number, intra: boolean): number {
  const truncated = intra ? (2 * magnitude * scale) >> 4 : ((2 * magnitude + 1) * scale) >> 4;
  return truncated === 0 ? 0 : (truncated - 1) | 1;
}

/** Level of a coefficient (times 8): its magnitude in steps plus `rounding`, truncated, in single precision; no clipping. */
export function quantizeMagnitude(magnitude: number, reciprocal: number, rounding: number): number {
  return Math.max(0, Math.trunc(Math.fround(Math.fround(magnitude * reciprocal) + rounding)));
}

/** Quantized DC 0..255 of an intra block, from its DC coefficient (times 8) less the mean of 128; step 8, rounded. */
export function quantizeIntraDc(coefficient: number): number {
  return Math.max(0, Math.min(255, (coefficient + 8192 + 32) >> 6));
}
