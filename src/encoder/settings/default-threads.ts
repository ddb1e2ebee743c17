// How many threads an encode has where its options do not say.
import { isBuiltInName, needsGpu } from '../../motion/built-in-estimators.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { EncoderOptions } from '../options.js';

/** More threads than this wait for each other's rows most of the time. */
const MAX_DEFAULT_THREADS = 16;

/** What one thread codes in about a second; threads take about half a second until all of them work. */
const SHORT_WORK_MACROBLOCKS = 100_000;

/** As many threads as cores, if the platform says how many; in browsers, and for little work without a GPU, 1. */
export function defaultThreads(grid: MacroblockGrid, { expectedFrames, estimator }: EncoderOptions): number {
  type Os = { availableParallelism(): number };
  const { process, navigator } = globalThis as {
    process?: { versions?: { node?: string }; getBuiltinModule?: (name: string) => Os | undefined };
    navigator?: { hardwareConcurrency?: number };
  };
  if (process?.versions?.node === undefined) return 1;
  const isGpu = typeof estimator === 'string' && isBuiltInName(estimator) && needsGpu(estimator);
  const macroblocks = (expectedFrames ?? Number.POSITIVE_INFINITY) * grid.mbWidth * grid.mbHeight;
  if (macroblocks < SHORT_WORK_MACROBLOCKS && !isGpu) return 1;
  const cores = process.getBuiltinModule?.('node:os')?.availableParallelism() ?? navigator?.hardwareConcurrency ?? 2;
  return Math.min(cores, MAX_DEFAULT_THREADS);
}
