// The stand-in answers in order until it is ended, and leaves what it cannot answer to the estimator that is made.
import { describe, expect, it } from 'vitest';
import { StandIn } from '../../../src/encoder/motion/stand-in.js';
import { createCpuLog } from '../../../src/motion/cpu/cpu-log.js';
import type { EstimatorParameters, MotionEstimator } from '../../../src/motion/estimator.js';
import { makePicture } from '../../motion/motion-pictures.js';

const PARAMETERS: EstimatorParameters = {
  width: 64,
  height: 48,
  metric: 'sad',
  blockSize: 16,
  range: { x: 15, y: 15 },
  candidatesPerBlock: 1,
  lambda: 0,
};
const request = {
  current: makePicture(1, 64, 48, 'texture'),
  reference: makePicture(0, 64, 48, 'texture'),
};

/** An estimator that notes what is called. */
async function noting(calls: string[], fails = false): Promise<MotionEstimator> {
  const estimator = await createCpuLog(PARAMETERS);
  return {
    traits: estimator.traits,
    device: estimator.device,
    estimate: async pair => {
      calls.push('estimate');
      if (fails) throw new Error('no memory');
      return estimator.estimate(pair);
    },
    close: async () => {
      calls.push('close');
      await estimator.close();
    },
  };
}

describe('StandIn', () => {
  it('answers as its estimator does', async () => {
    const standIn = new StandIn(createCpuLog(PARAMETERS));
    const own = await createCpuLog(PARAMETERS);
    expect(await standIn.estimate(request)).toEqual(await own.estimate(request));
    expect(await standIn.usesStart()).toBe(false);
    expect(standIn.busyMs).toBeGreaterThan(0);
    await standIn.end();
    await own.close();
  });

  it('leaves to the other estimator what has not begun when that is made', async () => {
    const calls: string[] = [];
    const standIn = new StandIn(noting(calls));
    const answers = [standIn.estimate(request), standIn.estimate(request), standIn.estimate(request)];
    await answers[0];
    await standIn.end();
    const fields = await Promise.all(answers);
    expect(fields[0]).toBeDefined();
    expect(fields[2]).toBeUndefined();
    expect(await standIn.estimate(request)).toBeUndefined();
    expect(calls.at(-1)).toBe('close');
    expect(calls.filter(call => call === 'close')).toHaveLength(1);
  });

  it('leaves the others after a search that takes long, but for the first', async () => {
    const estimator = await createCpuLog(PARAMETERS);
    const slow: MotionEstimator = {
      ...estimator,
      traits: estimator.traits,
      device: estimator.device,
      estimate: async pair => {
        await new Promise(resolve => setTimeout(resolve, 30));
        return estimator.estimate(pair);
      },
      close: () => estimator.close(),
    };
    const standIn = new StandIn(Promise.resolve(slow));
    const fields = await Promise.all([1, 2, 3].map(() => standIn.estimate(request)));
    expect(fields.map(field => field !== undefined)).toEqual([true, true, false]);
    await standIn.end();
  });

  it('leaves all where its estimator cannot be made, or fails', async () => {
    const unmade = new StandIn(Promise.reject(new Error('no memory')));
    expect(await unmade.usesStart()).toBeUndefined();
    expect(await unmade.estimate(request)).toBeUndefined();
    await unmade.end();
    const failing = new StandIn(noting([], true));
    expect(await failing.estimate(request)).toBeUndefined();
    await failing.end();
  });
});
