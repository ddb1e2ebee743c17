// Contract of the kernels of the macroblock tree: what macroblocks are predicted from, and the weights they hand on.

/**
 * Kernels on pictures of `columns` x `rows` macroblocks. Every pointer is a byte offset in the {@link KernelMemory}.
 * What was found of a picture lies in its memory so, n = columns * rows items each, in raster order:
 *
 *     0        4n            8n              12n              16n                20n
 *     | SADs   | SADs, past  | SADs, future  | dx, dy, past   | dx, dy, future   | costs as intra |
 *       u32      u32           u32             i16, i16         i16, i16           u16
 *
 * The SADs are those of the best prediction, and of the predictions from one anchor alone. A dependence is the part of
 * the prediction that comes from one anchor:
 *
 *     0         4n         8n          9n
 *     | match   | share    | right     | below    |
 *       i32       f32        u8          u8
 *
 * `match`: which macroblock of the anchor holds the first pel of the match, as an index of its weights; `right`,
 * `below`: how many pels farther the match begins, 0..15; `share`: the anchor's share of the prediction, 0, 0.5 or 1.
 *
 * Weights are f64, (columns + 1) * (rows + 1) of them: matches at the right and the lower edge of a picture reach
 * beyond it with a part of nothing.
 */
export interface WeightKernels {
  /** The squared mean absolute error of each macroblock's prediction, as f64; infinite where intra is better. */
  squareErrors(squaredErrors: number, found: number, macroblocks: number): void;
  /** The dependence on the past anchor (`anchor` = 0) or the future one (1), of a picture that has 1 or 2 `anchors`. */
  findDependence(
    dependence: number,
    found: number,
    columns: number,
    rows: number,
    anchor: number,
    anchors: number,
  ): void;
  /** What weights are divided by: 1 + squared error * `perSquaredScale`, as f64. */
  findDivisors(divisors: number, squaredErrors: number, macroblocks: number, perSquaredScale: number): void;
  /**
   * Adds to the weights `to` of an anchor what the macroblocks of a picture with the weights `own` hand on to the up to
   * four that each is predicted from: share * (1 + own) / divisor, by the parts that the match covers.
   */
  handOnWeights(to: number, own: number, dependence: number, divisors: number, columns: number, rows: number): void;
  /** Adds `count` weights to others. */
  addWeights(to: number, weights: number, count: number): void;
}
