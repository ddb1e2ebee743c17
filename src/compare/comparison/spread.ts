// The median of several measurements, with the lowest and the highest.

/** Several measurements of one thing. The names are also those in the JSON of `mpegpu compare`. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}

/** The spread of some values; undefined if there are none. */
export function spread(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const median = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
  return { median, least: sorted[0]!, greatest: sorted.at(-1)! };
}
