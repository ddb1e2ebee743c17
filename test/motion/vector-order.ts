// The order of vectors that the estimator contract demands, for the oracles of the tests.

/** A vector with its cost. */
export interface CostedVector {
  readonly dx: number;
  readonly dy: number;
  readonly cost: number;
}

/** The contract's order of vectors: negative when `a` comes before `b`, 0 only when they are equal. */
export function compareVectors(a: CostedVector, b: CostedVector): number {
  return (
    a.cost - b.cost || Math.abs(a.dx) + Math.abs(a.dy) - Math.abs(b.dx) - Math.abs(b.dy) || a.dy - b.dy || a.dx - b.dx
  );
}
