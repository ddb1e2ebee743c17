// How many threads an encode has where its options do not say.
import { isSlow, needsGpu } from '../../motion/built-in-estimators.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import { canShareMemory } from '../../threads/shared-memory.js';
import type { EncoderOptions } from '../options.js';

/** More threads than this wait for each other's rows most of the time. */
const MAX_DEFAULT_THREADS = 16;
/** From so many cores on, some are left to the other threads: more coders would only take turns with them. */
const MANY_CORES = 8;
/**
 * The part of the cores that is left. The lesser part is enough for large pictures, for which the other threads do
 * little more than for small ones; and with adaptive types where no GPU searches: coders do a part of their work then.
 * It is enough in two passes, too: coders wait for rows in the second.
 */
const LEFT_PART = 1 / 4;
const LESSER_LEFT_PART = 1 / 8;
/** Macroblocks of a large picture, such as 1280x720. */
const LARGE_MACROBLOCKS = 3600;

/** What one thread codes in about a second; threads take about half a second until all of them work. */
const SHORT_WORK_MACROBLOCKS = 100_000;

/** Whether an encode is known to have work for many threads. */
export function isLongWork(
  { mbWidth, mbHeight }: Pick<MacroblockGrid, 'mbWidth' | 'mbHeight'>,
  frames: number | undefined,
): boolean {
  return frames !== undefined && frames * mbWidth * mbHeight >= SHORT_WORK_MACROBLOCKS;
}

/** Where memory cannot be shared, one thread codes and another one is ahead of it. */
const UNSHARED_THREADS = 2;

/**
 * The number of threads where the options do not say: the number of cores, 2 if the platform does not tell it, without
 * those that are left. 1 for little work without a GPU, and in browsers without workers. At most 2 where memory cannot
 * be shared, unless the searches are slow: more threads help those.
 */
export function defaultThreads(
  grid: MacroblockGrid,
  options: Pick<EncoderOptions, 'expectedFrames' | 'estimator' | 'adaptiveTypes' | 'firstPass' | 'isFirstPass'>,
): number {
  const { expectedFrames, estimator, adaptiveTypes } = options;
  type Os = { availableParallelism(): number };
  const { process, navigator } = globalThis as {
    process?: { versions?: { node?: string }; getBuiltinModule?: (name: string) => Os | undefined };
    navigator?: { hardwareConcurrency?: number };
  };
  if (process?.versions?.node === undefined && typeof Worker === 'undefined') return 1;
  const name = typeof estimator === 'string' ? estimator : '';
  const isGpu = needsGpu(name);
  if (expectedFrames !== undefined && !isLongWork(grid, expectedFrames) && !isGpu) return 1;
  const cores = process?.getBuiltinModule?.('node:os')?.availableParallelism() ?? navigator?.hardwareConcurrency ?? 2;
  const isOfTwoPasses = options.firstPass !== undefined || options.isFirstPass === true;
  const isLarge = grid.mbWidth * grid.mbHeight >= LARGE_MACROBLOCKS;
  const needsFewOthers = isLarge || (adaptiveTypes && (!isGpu || isOfTwoPasses));
  const left = cores < MANY_CORES ? 0 : Math.floor(cores * (needsFewOthers ? LESSER_LEFT_PART : LEFT_PART));
  const coders = cores - left;
  return Math.min(coders, canShareMemory() || isSlow(name) ? MAX_DEFAULT_THREADS : UNSHARED_THREADS);
}
