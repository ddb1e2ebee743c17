// How many threads an encode has where nothing is said: by cores, and by the work that is expected.
import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';

/** Before Node 20.16 the core cannot know the number of cores. */
const ALL = 'getBuiltinModule' in process ? Math.min(16, availableParallelism()) : 2;
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
