// The zigzag scan of coefficients.

/**
 * The standard's zigzag scan as positions in a block kept column by column (`u * 8 + v`); ISO/IEC 11172-2 §2.4.4.1.
 */
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
