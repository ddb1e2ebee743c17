// Estimators that take their time to be made, that cannot be made, or that are made after an abort.
import { describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { Encoder } from '../../src/encoder/encoder.js';
import { UnsupportedError } from '../../src/errors.js';
import { createCpuLog } from '../../src/motion/cpu/cpu-log.js';
import type { EstimatorFactory, MotionEstimator } from '../../src/motion/estimator.js';
import { encodeFrames } from '../support/encode.js';

const SIZE = { width: 48, height: 32 };
const FRAMES = [...generateSample({ kind: 'snow', ...SIZE, frames: 4, seed: 5 })];
const OPTIONS = { ...SIZE, frameRate: 25, adaptiveTypes: false, bFrames: 0, maxPendingPictures: 8 };

/** A factory that is done when it is told to be, and the estimators that it has made and closed. */
function slowFactory() {
  const closed: MotionEstimator[] = [];
  const made: MotionEstimator[] = [];
  let finish: (error?: Error) => void = () => {};
  const told = new Promise<void>((resolve, reject) => {
    finish = error => (error ? reject(error) : resolve());
  });
  const factory: EstimatorFactory = async parameters => {
    await told;
    const estimator = await createCpuLog(parameters);
    const close = estimator.close.bind(estimator);
    estimator.close = () => {
      closed.push(estimator);
      return close();
    };
    made.push(estimator);
    return estimator;
  };
  return { factory, made, closed, finish };
}

async function addAll(encoder: Encoder): Promise<void> {
  for (const frame of FRAMES) await encoder.add(frame);
}

describe.each([1, 2])('an estimator that takes its time, %i threads', threads => {
  it('is not waited for by I pictures', async () => {
    const { factory, finish, closed } = slowFactory();
    const types: string[] = [];
    const onPicture = ({ type }: { type: string }) => void types.push(type);
    const encoder = new Encoder({ ...OPTIONS, threads, estimator: factory, gop: 12, onPicture });
    await addAll(encoder);
    while (types.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
    expect(types).toEqual(['I']);
    expect(encoder.statistics).toMatchObject({ estimator: '', device: '', motion: { waitMs: 0, pictures: 0 } });

    await new Promise(resolve => setTimeout(resolve, 30));
    finish();
    await encoder.finish();
    expect(types).toEqual(['I', 'P', 'P', 'P']);
    expect(encoder.statistics).toMatchObject({ estimator: 'cpu-log', motion: { pictures: 3 } });
    expect(encoder.statistics.motion.waitMs).toBeGreaterThan(0);
    expect(closed).toHaveLength(1);
  });

  it('gives the same stream as one that is ready at once', async () => {
    const { factory, finish } = slowFactory();
    setTimeout(finish, 50);
    const slow = await encodeFrames(FRAMES, { ...OPTIONS, threads, estimator: factory });
    const quick = await encodeFrames(FRAMES, { ...OPTIONS, threads, estimator: 'cpu-log' });
    expect(slow.stream).toEqual(quick.stream);
  });

  it.each([
    ['I pictures', 1],
    ['P pictures', 12],
  ])('fails the encode where it cannot be made: %s', async (_, gop) => {
    const { factory, finish } = slowFactory();
    const encoder = new Encoder({ ...OPTIONS, threads, estimator: factory, gop });
    await addAll(encoder);
    const reason = new UnsupportedError('no such luck');
    setTimeout(finish, 10, reason);
    await expect(encoder.finish()).rejects.toBe(reason);
    await expect(encoder.add(FRAMES[0])).rejects.toBe(reason);
    await expect(encoder[Symbol.asyncIterator]().next()).rejects.toBe(reason);
  });

  it('is closed after an abort while it was being made', async () => {
    const { factory, finish, made, closed } = slowFactory();
    const aborting = new AbortController();
    const encoder = new Encoder({ ...OPTIONS, threads, estimator: factory, signal: aborting.signal });
    await addAll(encoder);
    const reason = new Error('enough');
    aborting.abort(reason);
    await expect(encoder.add(FRAMES[0])).rejects.toBe(reason);
    await expect(encoder.finish()).rejects.toBe(reason);
    expect(made).toHaveLength(0);
    finish();
    await vi.waitUntil(() => closed.length === 1);
    expect(closed).toEqual(made);
  });
});

it('an estimator is closed once no more is asked of it, while pictures are coded', async () => {
  const { factory, finish, closed } = slowFactory();
  finish();
  const closedAt: number[] = [];
  const onPicture = () => void closedAt.push(closed.length);
  const frames = generateSample({ kind: 'snow', ...SIZE, frames: 12, seed: 5 });
  await encodeFrames(frames, { ...OPTIONS, threads: 2, estimator: factory, onPicture });
  expect([closedAt[0], closedAt.at(-1), closed.length]).toEqual([0, 1, 1]);
});
