// How many pictures wait for the coder threads of an encode: more where its estimator is one of a GPU.
import { afterEach, expect, it, vi } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { CoderThreads } from '../../../src/encoder/coders/coder-threads.js';
import { maxWaitingPictures, WaitingPictures } from '../../../src/encoder/coders/waiting-pictures.js';
import { Encoder } from '../../../src/encoder/encoder.js';
import { createZero } from '../../../src/motion/cpu/zero.js';
import type { EstimatorFactory } from '../../../src/motion/estimator.js';

const SIZE = { width: 48, height: 32 };
const THREADS = 4;

/** `zero` by another name. */
const named =
  (name: string): EstimatorFactory =>
  async parameters => {
    const zero = await createZero(parameters);
    const { traits, device } = zero;
    return {
      traits: { ...traits, name },
      device,
      estimate: request => zero.estimate(request),
      close: () => zero.close(),
    };
  };

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ['zero', false],
  ['gpu-mrmp', true],
])('with %s', async (name, usesGpu) => {
  const { add } = WaitingPictures.prototype;
  const { nextThread } = CoderThreads.prototype;
  let most = 0;
  vi.spyOn(WaitingPictures.prototype, 'add').mockImplementation(function (
    this: WaitingPictures<never, never>,
    picture,
  ) {
    const coded = add.call(this, picture);
    most = Math.max(most, this.length);
    return coded as never;
  });
  let begin: () => void = () => {};
  const mayBegin = new Promise<void>(resolve => {
    begin = resolve;
  });
  vi.spyOn(CoderThreads.prototype, 'nextThread').mockImplementation(async function (this: CoderThreads, ...given) {
    await mayBegin;
    return nextThread.call(this, ...given);
  });
  const estimator = named(name);
  const pattern = { adaptiveTypes: false, bFrames: 2, gop: 12 };
  const encoder = new Encoder({ ...SIZE, ...pattern, frameRate: 25, q: 6, threads: THREADS, estimator });
  const encoded = (async () => {
    for (const frame of generateSample({ kind: 'pan', ...SIZE, frames: 60, seed: 5 })) await encoder.add(frame);
    await encoder.finish();
  })();
  await vi.waitFor(() => expect(most).toBe(maxWaitingPictures(THREADS, usesGpu)), { timeout: 10_000 });
  begin();
  await encoded;
  expect(most).toBe(maxWaitingPictures(THREADS, usesGpu));
});
