// How many threads an encode has where nothing is said: by cores, and by the work that is expected.
import { availableParallelism } from 'node:os';
import { expect, it, vi } from 'vitest';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import type { PassStatistics } from '../../../src/encoder/rate-control/pass-statistics.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';

/** Before Node 20.16 the core cannot know the number of cores. */
const KNOWS_CORES = 'getBuiltinModule' in process;
const CORES = KNOWS_CORES ? availableParallelism() : 2;
const threadsOf = (part: number) => Math.min(16, CORES < 8 ? CORES : Math.ceil(part * CORES));
const ALL = threadsOf(7 / 8);
const ALL_WITH_GPU = threadsOf(3 / 4);
/** 30 x 18 macroblocks. */
const SIZE = { width: 480, height: 280 };

it.each([
  ['work of unknown length', {}, ALL],
  ['100,000 macroblocks', { expectedFrames: 186 }, ALL],
  ['a little less', { expectedFrames: 185 }, 1],
  ['no frames', { expectedFrames: 0 }, 1],
  ['little work for a GPU', { expectedFrames: 10, estimator: 'gpu-mrmp' }, ALL_WITH_GPU],
  ['little work, threads given', { expectedFrames: 10, threads: 3 }, 3],
])('%s', (_, options, threads) => {
  expect(resolveOptions({ ...SIZE, frameRate: 25, ...options }).threads).toBe(threads);
});

it.runIf(KNOWS_CORES)(
  'leaves an eighth of many cores to the other threads, a quarter where coders do not analyse',
  () => {
    const cores = vi.spyOn(process, 'getBuiltinModule' as never) as unknown as { mockReturnValue(os: object): void };
    try {
      const threadsWith = (options: Partial<EncoderOptions>) =>
        [1, 2, 7, 8, 9, 16, 20, 24, 64].map(count => {
          cores.mockReturnValue({ availableParallelism: () => count });
          return resolveOptions({ ...SIZE, frameRate: 25, ...options }).threads;
        });
      const eighth = [1, 2, 7, 7, 8, 14, 16, 16, 16];
      const quarter = [1, 2, 7, 6, 7, 12, 15, 16, 16];
      expect(threadsWith({})).toEqual(eighth);
      expect(threadsWith({ preset: 'fastest', adaptiveTypes: true })).toEqual(eighth);
      expect(threadsWith({ isFirstPass: true, bitrate: 1_000_000 })).toEqual(eighth);
      expect(threadsWith({ preset: 'fastest' })).toEqual(quarter);
      expect(threadsWith({ adaptiveTypes: false })).toEqual(quarter);
      expect(threadsWith({ estimator: 'gpu-full' })).toEqual(quarter);
      const firstPass: PassStatistics = [];
      for (const pass of [{ isFirstPass: true }, { firstPass }]) {
        expect(threadsWith({ estimator: 'gpu-full', bitrate: 1_000_000, ...pass })).toEqual(eighth);
        const fastest = { preset: 'fastest' as const, estimator: 'gpu-full' as const };
        expect(threadsWith({ ...fastest, bitrate: 1_000_000, ...pass })).toEqual(quarter);
      }
      const large = { width: 1280, height: 720 };
      expect(threadsWith({ preset: 'fastest', ...large })).toEqual(eighth);
      expect(threadsWith({ estimator: 'gpu-mrmp', ...large })).toEqual(eighth);
      expect(threadsWith({ preset: 'fastest', width: 1280, height: 704 })).toEqual(quarter);
    } finally {
      vi.restoreAllMocks();
    }
  },
);
