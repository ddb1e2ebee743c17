// How a search keeps the best candidates of a block: by what method, in how many places, with how many seeds.

/**
 * The method. `plain`: each finalist finds its rank, or by squared errors one minimum is found after the other, for
 * several blocks of a workgroup at a time. `bitonic`: finalists are merged by a bitonic network.
 */
export type KeepMethod = 'plain' | 'bitonic';

/** Most candidates that each search keeps by the method `plain`; `node bench/candidates.mjs` compares the methods. */
const MAX_PLAIN = { 'full-sad': 16, 'full-sse': 64, mrmp: 64 } as const;

/** How `candidates` vectors, 1..64, are kept. */
export interface KeptCandidates {
  readonly isBitonic: boolean;
  /** KEPT of best_candidates.wgsl: a power of two, at least 2. */
  readonly places: number;
  /**
   * SEEDS of best_candidates.wgsl, at least, where there are as many threads. The K-th best seed is the threshold: the
   * more seeds there are, the lower it is.
   */
  readonly seeds: number;
}

/** How a search keeps the best `candidates` of a block; `method` overrides the choice by number. */
export function keptCandidates(
  search: keyof typeof MAX_PLAIN,
  candidates: number,
  method?: KeepMethod,
): KeptCandidates {
  const places = Math.max(2, 2 ** Math.ceil(Math.log2(candidates)));
  return {
    isBitonic: (method ?? (candidates > MAX_PLAIN[search] ? 'bitonic' : 'plain')) === 'bitonic',
    places,
    seeds: 2 * places,
  };
}
