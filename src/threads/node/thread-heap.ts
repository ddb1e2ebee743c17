// How much JavaScript memory threads fill before V8 collects.

/** What a thread's heap holds before something is collected. */
export interface ThreadHeap {
  /** The part of the heap for what has just been made, in MiB: V8's `maxYoungGenerationSizeMb`. */
  readonly youngGenerationMib: number;
  /** Arrays are collected when there are about so many bytes more than after the last collection. */
  readonly maxMoreArrayBytes: number;
}

/** Threads that others wait for are collected less often: docs/decisions/thread-start.md. */
const WAITED_FOR: ThreadHeap = { youngGenerationMib: 12, maxMoreArrayBytes: 8 * 2 ** 20 };
/** There are many of the other threads. Short-lived arrays are freed sooner, and each takes a few MiB less. */
const OTHERS: ThreadHeap = { youngGenerationMib: 3, maxMoreArrayBytes: 2 * 2 ** 20 };

/** Entries of threads that others wait for: the lookahead's and those that only search, of which a GPU has one. */
const WAITED_FOR_ENTRIES = /(lookahead|estimator)-worker\.js$/;

/** The heap of threads that run the file `entry`. */
export function heapOf(entry: string): ThreadHeap {
  return WAITED_FOR_ENTRIES.test(entry) ? WAITED_FOR : OTHERS;
}
