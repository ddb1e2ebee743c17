// How many threads an encode has where nothing is said: by cores, and by the work that is expected.
import { availableParallelism } from 'node:os';
import { expect, it, vi } from 'vitest';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';

/** Before Node 20.16 the core cannot know the number of cores. */
const KNOWS_CORES = 'getBuiltinModule' in process;
const threadsOf = (cores: number) => Math.min(16, cores < 8 ? cores : Math.ceil((3 * cores) / 4));
const ALL = KNOWS_CORES ? threadsOf(availableParallelism()) : 2;
/** 30 x 18 macroblocks. */
const SIZE = { width: 480, height: 280 };

it.each([
  ['work of unknown length', {}, ALL],
  ['100,000 macroblocks', { expectedFrames: 186 }, ALL],
  ['a little less', { expectedFrames: 185 }, 1],
  ['no frames', { expectedFrames: 0 }, 1],
  ['little work for a GPU', { expectedFrames: 10, estimator: 'gpu-mrmp' }, ALL],
  ['little work, threads given', { expectedFrames: 10, threads: 3 }, 3],
])('%s', (_, options, threads) => {
  expect(resolveOptions({ ...SIZE, frameRate: 25, ...options }).threads).toBe(threads);
});

it.runIf(KNOWS_CORES)('leaves a quarter of many cores to the other threads, of large pictures an eighth', () => {
  const cores = vi.spyOn(process, 'getBuiltinModule' as never) as unknown as { mockReturnValue(os: object): void };
  try {
    const threadsOfSize = (width: number, height: number) =>
      [1, 2, 7, 8, 9, 16, 20, 24, 64].map(count => {
        cores.mockReturnValue({ availableParallelism: () => count });
        return resolveOptions({ width, height, frameRate: 25 }).threads;
      });
    expect(threadsOfSize(SIZE.width, SIZE.height)).toEqual([1, 2, 7, 6, 7, 12, 15, 16, 16]);
    expect(threadsOfSize(1280, 704)).toEqual([1, 2, 7, 6, 7, 12, 15, 16, 16]);
    expect(threadsOfSize(1280, 720)).toEqual([1, 2, 7, 7, 8, 14, 16, 16, 16]);
    cores.mockReturnValue({ availableParallelism: () => 12 });
    expect(resolveOptions({ ...SIZE, frameRate: 25, estimator: 'gpu-full' }).threads).toBe(9);
  } finally {
    vi.restoreAllMocks();
  }
});
