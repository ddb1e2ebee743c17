// Has V8 optimize fewer functions once those that run most are optimized: each thread of an encode optimizes its own.
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** When the functions that run most are optimized, in milliseconds; docs/decisions/threads.md has what it gives. */
const AFTER_MS = 800;
/**
 * Flags by the major version of V8: 11 is in Node 20, 12 in Node 22. With the first, a function is optimized when it
 * has run through 15 times as much bytecode as usual, with the second when it was called 17 times as often. In Node 24
 * nothing is gained.
 */
const FLAGS: Readonly<Record<string, string>> = {
  11: '--interrupt-budget=1000000',
  12: '--invocation-count-for-turbofan=50000',
};

/** The flag for a version of V8, such as 11.3.244.8-node.38; undefined where there is none. */
export function flagFor(version: string): string | undefined {
  return FLAGS[version.split('.', 1)[0]!];
}

/**
 * Sets the flag after `AFTER_MS`, unless the function that this returns is called before. Does nothing for an encode
 * with one thread, and where there is no flag.
 */
export function optimizeLessLater(
  threads: number = availableParallelism(),
  setFlag: (flag: string) => void = setFlagsFromString,
): () => void {
  const flag = flagFor(process.versions.v8);
  if (flag === undefined || threads === 1) return () => {};
  const timer = setTimeout(setFlag, AFTER_MS, flag).unref();
  return () => clearTimeout(timer);
}
