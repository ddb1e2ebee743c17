// In how many places, and with how many seeds, a workgroup keeps the best candidates of a block.
import { nextPowerOfTwo } from '../../portable-math.js';

/** The memory that best_candidates.wgsl keeps them in. */
export interface KeptCandidates {
  /** KEPT: a power of two, at least 2. */
  readonly places: number;
  /**
   * SEEDS, at least, where there are as many threads. The K-th best seed is the threshold: the more seeds there are,
   * the lower it is.
   */
  readonly seeds: number;
}

/** How the best `candidates` of a block, 1..64, are kept. */
export function keptCandidates(candidates: number): KeptCandidates {
  const places = Math.max(2, nextPowerOfTwo(candidates));
  return { places, seeds: 2 * places };
}
