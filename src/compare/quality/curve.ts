// A smooth curve through measured points, or near them.

/** A function of x between the least and the greatest x of its points. */
export interface Curve {
  readonly low: number;
  readonly high: number;
  /** The integral from `from` to `to`; both lie within `low` and `high`. */
  integral(from: number, to: number): number;
}
