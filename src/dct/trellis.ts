/** A coefficient that may be coded: its level and the one below (0: there is none), with the change of distortion of each. */
export interface TrellisCoefficient {
  /** Scan position. */
  readonly position: number;
  readonly level: number;
  /** Squared error with `level` less squared error without the coefficient. */
  readonly distortion: number;
  readonly lower: number;
  readonly lowerDistortion: number;
}

/** The best way to end with a coefficient. */
interface Path {
  readonly position: number;
  readonly level: number;
  readonly cost: number;
  readonly before: Path | undefined;
}

const END_OF_BLOCK_BITS = 2;

/**
 * The level magnitudes of a block, by scan position, that make distortion + lambda * bits least. `bits(run, level)` is the length of a
 * pair; `first` is the scan position where runs begin: 0, or 1 in intra blocks. Among equals the earlier found stays: higher levels
 * before lower ones, older predecessors before newer ones, the empty block before all.
 */
export function chooseLevels(
  coefficients: readonly TrellisCoefficient[],
  bits: (run: number, level: number) => number,
  first: 0 | 1,
  lambda: number,
): Uint8Array {
  const endOfBlock = lambda * END_OF_BLOCK_BITS;
  let best: Path | undefined;
  // In a non-intra block without coefficients there is no end_of_block either.
  let leastCost = first === 1 ? endOfBlock : 0;
  const start: Path = { position: first - 1, level: 0, cost: 0, before: undefined };
  let survivors: Path[] = [start];
  for (const coefficient of coefficients) {
    let path: Path | undefined;
    for (const [level, distortion] of [
      [coefficient.level, coefficient.distortion],
      [coefficient.lower, coefficient.lowerDistortion],
    ] as const) {
      if (level === 0) continue;
      for (const before of survivors) {
        const run = coefficient.position - before.position - 1;
        // dct_coeff_first has a shorter code for run 0, level 1.
        const length = bits(run, level) - (coefficient.position === 0 && level === 1 ? 1 : 0);
        const cost = before.cost + distortion + lambda * length;
        if (path === undefined || cost < path.cost) path = { position: coefficient.position, level, cost, before };
      }
    }
    if (path === undefined) continue;
    const found = path;
    survivors = survivors.filter(other => other.cost < found.cost);
    survivors.push(found);
    if (found.cost + endOfBlock < leastCost) {
      leastCost = found.cost + endOfBlock;
      best = found;
    }
  }
  const magnitudes = new Uint8Array(64);
  for (let path = best; path !== undefined && path.before !== undefined; path = path.before) {
    magnitudes[path.position] = path.level;
  }
  return magnitudes;
}
