// Part of the searches: merges the finalists of a portion into the best candidates by ranks.
//
// Each finalist finds its rank by counting the better ones; best_candidates.wgsl says what finalists are.

var<workgroup> finalists: array<vec2u, PORTION>;
/** The best so far, in order, in one half; the other half is written next. */
var<workgroup> best: array<vec2u, 2u * KEPT>;
/** First entry of the half of `best` that holds the best so far: 0 or KEPT, the same in every thread. */
var<private> front: u32;

/** The part of `forget_best` that depends on how candidates are merged. */
fn clear_best(thread: u32) {
  front = 0u;
}

/** The kept candidate at a place of their order, less than `bestCount`. */
fn best_at(place: u32) -> vec2u {
  return best[front + place];
}

fn set_finalist(index: u32, candidate: vec2u) {
  finalists[index] = candidate;
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
  let count = min(atomicLoad(&finalistCount), PORTION);
  let back = KEPT - front;
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
