// Keeps the best candidates of a block, with all threads of the workgroup that searches the block.
//
// A search goes through its candidates in portions. In each portion, some candidates (the seeds) give a threshold: the
// keep-th best of some is never better than the keep-th best of all. The candidates that reach the threshold become
// finalists. They are merged into the best so far: by ranks (merge_by_rank.wgsl), or by a bitonic network
// (merge_bitonic.wgsl), which takes less work where many are kept.

/** Threads of the workgroup. */
override THREADS: u32;
/** Most candidates of a portion, and so most finalists. */
override PORTION: u32;
/** Candidates that set the threshold; at least as many as are kept. */
override SEEDS: u32;
/** Places for kept candidates: a power of two, at least CANDIDATES and PREDICTORS, at most THREADS. */
override KEPT: u32;

/** The best candidate of each thread in this portion; vectors.wgsl says what a candidate is. */
var<workgroup> threadBest: array<vec2u, THREADS>;
var<workgroup> seeds: array<vec2u, SEEDS>;
var<workgroup> threshold: vec2u;
/** Finalists of the portion; it also counts those for which there was no room. */
var<workgroup> finalistCount: atomic<u32>;
/** Candidates that are kept. */
var<workgroup> bestCount: u32;

/** Forgets what is kept. The caller puts a barrier after it. */
fn forget_best(thread: u32) {
  clear_best(thread);
  if (thread == 0u) {
    bestCount = 0u;
    atomicStore(&finalistCount, 0u);
  }
}

/** Sets `seeds`: each is the best of the threads whose numbers are SEEDS apart. Ends with a barrier. */
fn gather_seeds(thread: u32, own: vec2u) {
  threadBest[thread] = own;
  workgroupBarrier();
  if (thread < SEEDS) {
    var seed = threadBest[thread];
    for (var other = thread + SEEDS; other < THREADS; other += SEEDS) {
      let candidate = threadBest[other];
      if (precedes(candidate, seed)) {
        seed = candidate;
      }
    }
    seeds[thread] = seed;
  }
  workgroupBarrier();
}

/** Sets `threshold`: the better one of the keep-th seed and the keep-th of `best`, or NOTHING. Ends with a barrier. */
fn set_threshold(thread: u32, keep: u32) {
  if (thread == 0u) {
    threshold = NOTHING;
    if (bestCount == keep) {
      threshold = best_at(keep - 1u);
    }
  }
  workgroupBarrier();
  if (thread < SEEDS) {
    let seed = seeds[thread];
    var rank = 0u;
    for (var other = 0u; other < SEEDS; other++) {
      rank += u32(precedes(seeds[other], seed));
    }
    if (rank == keep - 1u && precedes(seed, threshold)) {
      threshold = seed;
    }
  }
  workgroupBarrier();
}

/** Makes a candidate a finalist if it reaches the threshold and there is room for it. Returns whether it did. */
fn propose(candidate: vec2u) -> bool {
  if (precedes(threshold, candidate)) {
    return false;
  }
  let index = atomicAdd(&finalistCount, 1u);
  if (index >= PORTION) {
    return false;
  }
  set_finalist(index, candidate);
  return true;
}

/** Writes the best candidates as the answer of block number `block`; the last one is repeated where there are fewer. */
fn write_best(thread: u32, block: u32) {
  if (thread < CANDIDATES) {
    let winner = best_at(min(thread, bestCount - 1u));
    write_entry(block * CANDIDATES + thread, winner.x, vector_of(winner.y));
  }
}
