// What an estimator beside the coder is asked: pairs ahead of need, and hardly any that no plan uses.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { EstimatorFactory, EstimatorTraits } from '../../../src/motion/estimator.js';
import { createEstimator } from '../../../src/motion/registry.js';
import { encodeFrames } from '../../support/encode.js';

const SIZE = { width: 176, height: 144 };
const CALLED_ZERO = fileURLToPath(new URL('../../motion/fixtures/called-zero-estimator.mjs', import.meta.url));

function pan(frames: number) {
  return generateSample({ kind: 'pan', ...SIZE, frames, seed: 3 });
}

/** A pan coded with an estimator that says where it runs: the bytes, the pairs asked for, and the most at once. */
async function searched(runsOn: EstimatorTraits['runsOn']) {
  let pairs = 0;
  let open = 0;
  let mostOpen = 0;
  const factory: EstimatorFactory = async parameters => {
    const { estimator } = await createEstimator('cpu-mrmp', parameters);
    return {
      traits: { ...estimator.traits, name: 'told-to', runsOn },
      device: estimator.device,
      close: () => estimator.close(),
      async estimate(request) {
        pairs++;
        mostOpen = Math.max(mostOpen, ++open);
        await new Promise(setImmediate);
        const field = await estimator.estimate(request);
        open--;
        return field;
      },
    };
  };
  const { stream } = await encodeFrames(pan(60), {
    ...SIZE,
    q: 8,
    threads: 1,
    adaptiveTypes: true,
    estimator: factory,
  });
  return { stream, pairs, mostOpen };
}

describe('an estimator on a GPU', () => {
  it('is asked ahead, for hardly more pairs than one that is asked when a plan needs them', async () => {
    const needed = await searched('wasm');
    const ahead = await searched('gpu');
    expect(ahead.stream).toEqual(needed.stream);
    expect(ahead.mostOpen).toBeGreaterThan(needed.mostOpen);
    expect(ahead.pairs).toBeGreaterThanOrEqual(needed.pairs);
    expect(ahead.pairs).toBeLessThan(1.03 * needed.pairs);
  });
});

it('a module that is called as a built-in estimator is asked itself by threads that analyse, too', async () => {
  // Slowly: threads are to start in the meantime.
  async function* slowly() {
    for (const frame of pan(30)) {
      await new Promise(resolve => setTimeout(resolve, 25));
      yield frame;
    }
  }
  const encode = (estimator: string, threads: number) =>
    encodeFrames(threads > 1 ? slowly() : pan(30), { ...SIZE, q: 8, threads, adaptiveTypes: true, estimator });
  const { stream } = await encode(CALLED_ZERO, 1);
  expect(stream).not.toEqual((await encode('zero', 1)).stream);
  expect((await encode(CALLED_ZERO, 3)).stream).toEqual(stream);
});

it.each([
  ['in the calling thread', 1, true],
  ['in a thread', 2, false],
  ['in the thread of the lookahead', 3, true],
])('the statistics tell of a device that took the place of a lost one, %s', async (_, threads, adaptiveTypes) => {
  const estimator = fileURLToPath(new URL('../../motion/fixtures/other-device-estimator.mjs', import.meta.url));
  const { statistics } = await encodeFrames(pan(30), { ...SIZE, q: 8, threads, adaptiveTypes, estimator });
  expect(statistics.device).toMatch(/^a GPU, then CPU/);
});
