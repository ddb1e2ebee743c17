// Pictures filtered in time: where they lie does not matter, nor does noise that is to be kept.
import { expect, it } from 'vitest';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { createCpuPredictive } from '../../../src/motion/cpu/cpu-predictive.js';
import { encodeFrames } from '../../support/encode.js';
import { noisyPan } from '../../support/noisy-pan.js';

const size = { width: 96, height: 64 };

const encode = async (level: number, options: Partial<EncoderOptions>) =>
  (await encodeFrames(noisyPan(size, 10, level), { ...size, gop: 6, ...options })).stream;
const unfiltered = { tools: { temporalFilter: false } };

it('gives the same bytes where pictures lie in the memory of the coder, and with a search that is given copies', async () => {
  const shared = await encode(6, { q: 8, estimator: 'cpu-predictive' });
  expect(await encode(6, { q: 8, estimator: createCpuPredictive })).toEqual(shared);
  expect(await encode(6, { q: 8, estimator: createCpuPredictive, ...unfiltered })).not.toEqual(shared);
});

it('leaves pictures as they are where the quantizer keeps their noise', async () => {
  const given = { q: 4, estimator: 'cpu-predictive' };
  expect(await encode(12, given)).toEqual(await encode(12, { ...given, ...unfiltered }));
  expect(await encode(3, given)).not.toEqual(await encode(3, { ...given, ...unfiltered }));
});
