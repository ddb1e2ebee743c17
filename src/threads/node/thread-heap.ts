// How much JavaScript memory threads fill before V8 collects.

/** What a thread's heap holds before something is collected. */
export interface ThreadHeap {
  /** The part of the heap for what has just been made, in MiB: V8's `maxYoungGenerationSizeMb`. */
  readonly youngGenerationMib: number;
  /** Arrays are collected when there are about so many bytes more than after the last collection. */
  readonly maxMoreArrayBytes: number;
}

/** There are many of these threads, and short-lived arrays are freed sooner. */
const OF_MANY: ThreadHeap = { youngGenerationMib: 3, maxMoreArrayBytes: 4 * 2 ** 20 };
/** Other threads wait for this one; a larger heap is collected in a third of the time. */
const OF_ONE: ThreadHeap = { youngGenerationMib: 12, maxMoreArrayBytes: 8 * 2 ** 20 };

/** Entries of which an encode has one thread: the lookahead's, and that of a GPU or of another estimator. */
const ENTRIES_OF_ONE = /(lookahead|estimator)-worker\.js$/;

/** The heap of threads that run the file `entry`. */
export function heapOf(entry: string): ThreadHeap {
  return ENTRIES_OF_ONE.test(entry) ? OF_ONE : OF_MANY;
}
