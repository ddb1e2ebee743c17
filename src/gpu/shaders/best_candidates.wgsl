// Keeps the best candidates of a block, with all threads of the workgroup that searches the block.
//
// A search goes through its candidates in portions. In each portion, some candidates (the seeds) give a threshold: the
// keep-th best of some is never better than the keep-th best of all. The candidates that reach the threshold become
// finalists. Each finalist finds its rank by counting the better ones.

/** Threads of the workgroup. */
override THREADS: u32;
/** Most candidates of a portion, and so most finalists. */
override PORTION: u32;
/** Candidates that set the threshold; at least as many as are kept. */
override SEEDS: u32;
/** Most candidates that are kept: the limit of CANDIDATES and PREDICTORS. */
const MAX_KEPT = 8u;

/** The best candidate of each thread in this portion; vectors.wgsl says what a candidate is. */
var<workgroup> threadBest: array<vec2u, THREADS>;
var<workgroup> seeds: array<vec2u, SEEDS>;
var<workgroup> threshold: vec2u;
var<workgroup> finalists: array<vec2u, PORTION>;
var<workgroup> finalistCount: atomic<u32>;
/** The best so far, in order, in one half; the other half is written next. */
var<workgroup> best: array<vec2u, 2u * MAX_KEPT>;
var<workgroup> bestCount: u32;
/** First entry of the half of `best` that holds the best so far: 0 or MAX_KEPT, the same in every thread. */
var<private> front: u32;

/** Forgets what is kept. The caller puts a barrier after it. */
fn forget_best(thread: u32) {
  front = 0u;
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
      threshold = best[front + keep - 1u];
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

/** Makes a candidate a finalist if it reaches the threshold. */
fn propose(candidate: vec2u) {
  if (!precedes(threshold, candidate)) {
    finalists[atomicAdd(&finalistCount, 1u)] = candidate;
  }
}

/** How many of the `count` finalists are better than `candidate`. */
fn finalists_before(candidate: vec2u, count: u32) -> u32 {
  var rank = 0u;
  for (var other = 0u; other < count; other++) {
    rank += u32(precedes(finalists[other], candidate));
  }
  return rank;
}

/** Merges the finalists into `best` and forgets them. Starts and ends with a barrier. */
fn merge_finalists(thread: u32, keep: u32) {
  workgroupBarrier();
  let count = atomicLoad(&finalistCount);
  let back = MAX_KEPT - front;
  for (var index = thread; index < count; index += THREADS) {
    let candidate = finalists[index];
    var rank = finalists_before(candidate, count);
    for (var other = 0u; other < bestCount; other++) {
      rank += u32(precedes(best[front + other], candidate));
    }
    if (rank < keep) {
      best[back + rank] = candidate;
    }
  }
  if (thread < bestCount) {
    let candidate = best[front + thread];
    let rank = thread + finalists_before(candidate, count);
    if (rank < keep) {
      best[back + rank] = candidate;
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    bestCount = min(keep, bestCount + count);
    atomicStore(&finalistCount, 0u);
  }
  front = back;
  workgroupBarrier();
}
