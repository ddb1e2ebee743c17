// Part of the searches: merges the finalists of a portion into the best candidates by a bitonic network.
//
// best_candidates.wgsl says what finalists are.
//
// The list has runs of KEPT candidates: the best so far, then the finalists. Each run of finalists is sorted. Then two
// runs are merged into one: candidate i of the one is compared with candidate KEPT - 1 - i of the other. The better
// ones of these pairs are the KEPT best of both runs. They rise and then fall, or fall and then rise, so one stage of
// the network puts them in order (Batcher 1968). This is repeated until one run is left:
//
//     best   1   2   3        runs of the list
//        \  /     \  /
//         best      2         the better ones of two runs
//            \    /
//             best

/** Entries of the list: the best, then whole runs for the finalists of a portion. */
override LIST = KEPT * (1u + (PORTION + KEPT - 1u) / KEPT);

var<workgroup> list: array<vec2u, LIST>;
/** Runs of finalists, which one thread counts for all. */
var<workgroup> finalistRuns: u32;

/** The part of `forget_best` that depends on how candidates are merged. */
fn clear_best(thread: u32) {
  if (thread < KEPT) {
    list[thread] = NOTHING;
  }
}

/** The kept candidate at a place of their order, less than `bestCount`. */
fn best_at(place: u32) -> vec2u {
  return list[place];
}

fn set_finalist(index: u32, candidate: vec2u) {
  list[KEPT + index] = candidate;
}

/** Puts two candidates of the list in order. */
fn exchange_candidates(low: u32, high: u32) {
  let a = list[low];
  let b = list[high];
  if (precedes(b, a)) {
    list[low] = b;
    list[high] = a;
  }
}

/**
 * The lower place of comparison `number` of a step whose places lie `distance`, a power of two, apart: the upper place
 * is `distance` further.
 */
fn lower_place(number: u32, distance: u32) -> u32 {
  return 2u * number - (number & (distance - 1u));
}

/** Sorts the runs of finalists, `count` candidates in all. Ends with a barrier. */
fn sort_runs(thread: u32, count: u32) {
  for (var size = 2u; size <= KEPT; size *= 2u) {
    // The first step of a stage compares mirror places of blocks of `size`.
    for (var number = thread; number < count / 2u; number += THREADS) {
      let low = lower_place(number, size / 2u);
      exchange_candidates(KEPT + low, KEPT + (low ^ (size - 1u)));
    }
    workgroupBarrier();
    for (var distance = size / 4u; distance > 0u; distance /= 2u) {
      for (var number = thread; number < count / 2u; number += THREADS) {
        let low = KEPT + lower_place(number, distance);
        exchange_candidates(low, low + distance);
      }
      workgroupBarrier();
    }
  }
}

/**
 * Makes one run of each run that lies at a multiple of 2 * `stride` and the run `stride` after it, `pairs` times. Ends
 * with a barrier.
 */
fn merge_runs(thread: u32, pairs: u32, stride: u32) {
  for (var index = thread; index < pairs * KEPT; index += THREADS) {
    let at = 2u * stride * (index / KEPT) * KEPT;
    let place = index % KEPT;
    let other = list[at + stride * KEPT + (KEPT - 1u - place)];
    if (precedes(other, list[at + place])) {
      list[at + place] = other;
    }
  }
  workgroupBarrier();
  for (var distance = KEPT / 2u; distance > 0u; distance /= 2u) {
    for (var number = thread; number < pairs * (KEPT / 2u); number += THREADS) {
      let at = 2u * stride * (number / (KEPT / 2u)) * KEPT;
      let low = at + lower_place(number % (KEPT / 2u), distance);
      exchange_candidates(low, low + distance);
    }
    workgroupBarrier();
  }
}

/** Merges the finalists into the best and forgets them. Starts and ends with a barrier. */
fn merge_finalists(thread: u32, keep: u32) {
  workgroupBarrier();
  let count = min(atomicLoad(&finalistCount), PORTION);
  if (thread == 0u) {
    finalistRuns = (count + KEPT - 1u) / KEPT;
    bestCount = min(keep, bestCount + count);
  }
  let runs = workgroupUniformLoad(&finalistRuns);
  if (runs == 0u) {
    return;
  }
  for (var index = KEPT + count + thread; index < KEPT + KEPT * runs; index += THREADS) {
    list[index] = NOTHING;
  }
  workgroupBarrier();
  if (thread == 0u) {
    atomicStore(&finalistCount, 0u);
  }
  sort_runs(thread, KEPT * runs);
  for (var stride = 1u; stride <= runs; stride *= 2u) {
    merge_runs(thread, (runs + stride) / (2u * stride), stride);
  }
}
