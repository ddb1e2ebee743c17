// Estimators of third parties that lie, break or never answer: each time one error that names the estimator.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InputError, UnsupportedError } from '../../src/errors.js';
import type { EstimatorFactory, EstimatorParameters, MotionEstimator } from '../../src/motion/estimator.js';
import { createEstimator } from '../../src/motion/registry.js';
import { makePicture } from './motion-pictures.js';

const PARAMETERS: EstimatorParameters = {
  width: 16,
  height: 16,
  metric: 'sad',
  blockSize: 16,
  range: { x: 1, y: 1 },
  candidatesPerBlock: 1,
  lambda: 0,
};
const PAIR = { current: makePicture(1, 16, 16, 'noise'), reference: makePicture(2, 16, 16, 'noise') };
const FIELD = {
  blockSize: 16 as const,
  blockColumns: 1,
  blockRows: 1,
  candidatesPerBlock: 1,
  dx: new Int16Array(1),
  dy: new Int16Array(1),
  cost: new Uint32Array(1),
};
const GOOD: MotionEstimator = {
  traits: { name: 'mine', runsOn: 'js', exhaustive: false },
  device: 'a test',
  estimate: async () => FIELD,
  close: async () => {},
};
const never = () => new Promise<never>(() => {});
const throws = () => {
  throw new TypeError('no luck');
};

/** The estimator with some parts different, as createEstimator makes it. */
async function made(parts: object): Promise<MotionEstimator> {
  const factory = (async () => ({ ...GOOD, ...parts })) as EstimatorFactory;
  return (await createEstimator(factory, PARAMETERS)).estimator;
}

describe('an estimator of a third party', () => {
  it.each<[string, object | undefined, string]>([
    ['traits', { traits: undefined }, 'has no traits'],
    ['a name', { traits: { ...GOOD.traits, name: '' } }, 'has no name'],
    ['a known runsOn', { traits: { ...GOOD.traits, runsOn: 'abacus' } }, 'runsOn that is none of js, wasm, gpu'],
    ['a plain exhaustive', { traits: { ...GOOD.traits, exhaustive: 'no' } }, 'exhaustive that is not true or false'],
    ['a device', { device: 7 }, 'has no device'],
    ['estimate', { estimate: undefined }, 'has no method estimate'],
    ['close', { close: 'open' }, 'has no method close'],
  ])('without %s is refused', async (_, parts, says) => {
    const error = await made(parts!).catch(reason => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(/^the estimator factory has /);
    expect(error.message).toContain(says);
  });

  it.each([undefined, null, 5])('that is %s is refused', async value => {
    const factory = (() => value) as unknown as EstimatorFactory;
    await expect(createEstimator(factory, PARAMETERS)).rejects.toThrow(`the estimator factory is ${value}`);
  });

  it('is named when its factory throws; errors of our kinds stay as they are', async () => {
    await expect(createEstimator(throws, PARAMETERS)).rejects.toThrow('the estimator throws failed: no luck');
    const reason = new UnsupportedError('no loom');
    await expect(createEstimator(() => Promise.reject(reason), PARAMETERS)).rejects.toBe(reason);
  });

  it.each<[string, object, string]>([
    ['throws', { estimate: throws }, 'the estimator mine failed: no luck'],
    ['rejects with a word', { estimate: () => Promise.reject('bad') }, 'the estimator mine failed: bad'],
    ['answers with nothing', { estimate: async () => {} }, 'the estimator mine answered with undefined'],
    ['answers K = 0', { estimate: async () => ({ ...FIELD, candidatesPerBlock: 0 }) }, 'mine answered with 0 vectors'],
  ])('that %s is named', async (_, parts, says) => {
    const estimator = await made(parts);
    await expect(estimator.estimate(PAIR)).rejects.toThrow(says);
    await estimator.close();
  });

  it('may answer with a value or a thenable, and may change its arrays afterwards', async () => {
    const own = { ...FIELD, dx: new Int16Array(1) };
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what this test is about
    const thenable = { then: (resolve: (field: object) => void) => resolve(own) };
    for (const answer of [own, thenable]) {
      const estimator = await made({ estimate: () => answer });
      const field = await estimator.estimate(PAIR);
      own.dx[0] = 9;
      expect(field.dx[0]).toBe(0);
      own.dx[0] = 0;
    }
  });

  it('with statistics that throw or lie has none', async () => {
    for (const statistics of [throws, () => undefined, () => ({ busyMs: Number.NaN, pictures: 'many' })]) {
      const estimator = await made({ statistics });
      await estimator.estimate(PAIR);
      expect(estimator.statistics!()).toEqual({ busyMs: 0, pictures: 1 });
    }
    expect((await made({})).statistics).toBeUndefined();
  });

  it('that fails to close is named, and so is a call after that', async () => {
    const estimator = await made({ close: throws });
    await expect(estimator.close()).rejects.toThrow('the estimator mine failed: no luck');
    await expect(estimator.estimate(PAIR)).rejects.toThrow('the estimator mine is closed');
  });

  it('leaves no call hanging when it is closed', async () => {
    const estimator = await made({ estimate: never });
    const call = estimator.estimate(PAIR);
    await estimator.close();
    await expect(call).rejects.toThrow('the estimator mine is closed');
  });

  it('is given up when the signal is aborted while it is made, and closed when it comes', async () => {
    const stop = new AbortController();
    let finish = (_: MotionEstimator) => {};
    const slow = vi.fn(() => new Promise<MotionEstimator>(resolve => (finish = resolve)));
    const making = createEstimator(slow, PARAMETERS, { signal: stop.signal });
    await vi.waitFor(() => expect(slow).toHaveBeenCalled());
    stop.abort('enough');
    await expect(making).rejects.toBe('enough');
    await new Promise<void>(resolve => finish({ ...GOOD, close: async () => resolve() }));
    await expect(createEstimator(slow, PARAMETERS, { signal: stop.signal })).rejects.toBe('enough');
  });

  describe('has an end of time', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    const errorAfter = async (seconds: number, call: Promise<unknown>) => {
      const settled = call.catch(reason => reason);
      await vi.advanceTimersByTimeAsync(1000 * seconds);
      return settled;
    };

    it('to be made', async () => {
      const error = await errorAfter(120, createEstimator(never, PARAMETERS));
      expect(error).toBeInstanceOf(UnsupportedError);
      expect(error).toHaveProperty('message', 'the estimator never was not ready within 120 s');
    });

    it('to answer, which begins anew with each answer', async () => {
      let answer = (_: object) => {};
      const first = new Promise(resolve => (answer = resolve));
      let calls = 0;
      const estimator = await made({ estimate: () => (calls++ === 0 ? first : never()) });
      const answers = [estimator.estimate(PAIR), estimator.estimate(PAIR)];
      answers[1]!.catch(() => {});
      await vi.advanceTimersByTimeAsync(500_000);
      answer(FIELD);
      await answers[0];
      await vi.advanceTimersByTimeAsync(500_000);
      expect(vi.getTimerCount()).toBe(1);
      const error = await errorAfter(100, answers[1]!);
      expect(error).toHaveProperty('message', 'the estimator mine has not answered for 600 s');
      expect(vi.getTimerCount()).toBe(0);
    });

    it('to answer, which does not begin anew with each call', async () => {
      const estimator = await made({ estimate: never });
      const errors: string[] = [];
      const call = () => void estimator.estimate(PAIR).catch(({ message }) => errors.push(message));
      call();
      await vi.advanceTimersByTimeAsync(500_000);
      call();
      await vi.advanceTimersByTimeAsync(100_000);
      expect(errors).toEqual(Array(2).fill('the estimator mine has not answered for 600 s'));
    });

    it('to close', async () => {
      const estimator = await made({ close: never });
      const error = await errorAfter(5, estimator.close());
      expect(error).toHaveProperty('message', 'the estimator mine did not close within 5 s');
    });
  });
});
