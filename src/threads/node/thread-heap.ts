// How much JavaScript memory threads fill before V8 collects.

/** What a thread's heap holds before something is collected. */
export interface ThreadHeap {
  /** The part of the heap for what has just been made, in MiB: V8's `maxYoungGenerationSizeMb`. */
  readonly youngGenerationMib: number;
  /** Arrays are collected when there are about so many bytes more than after the last collection. */
  readonly maxMoreArrayBytes: number;
}

/** Threads that others wait for are collected less often, and coder threads more often, as there are many. */
const WAITED_FOR: ThreadHeap = { youngGenerationMib: 12, maxMoreArrayBytes: 8 * 2 ** 20 };
const OTHERS: ThreadHeap = { youngGenerationMib: 3, maxMoreArrayBytes: 4 * 2 ** 20 };
const CODER: ThreadHeap = { youngGenerationMib: 3, maxMoreArrayBytes: 2 * 2 ** 20 };

/** By the names of their entries; what is measured is in docs/decisions/thread-start.md. */
const HEAPS: readonly (readonly [entry: RegExp, heap: ThreadHeap])[] = [
  // Those that only search among them, of which a GPU has one.
  [/(lookahead|estimator)-worker\.js$/, WAITED_FOR],
  [/coder-worker\.js$/, CODER],
];

/** The heap of threads that run the file `entry`. */
export function heapOf(entry: string): ThreadHeap {
  return HEAPS.find(([entries]) => entries.test(entry))?.[1] ?? OTHERS;
}
