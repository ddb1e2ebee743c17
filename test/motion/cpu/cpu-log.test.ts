// cpu-log keeps the estimator contract, and its SIMD kernels equal the readable ones.
import { describe, expect, it } from 'vitest';
import { createCpuLog } from '../../../src/motion/cpu/cpu-log.js';
import { describeEstimator } from '../estimator-suite.js';
import { translatedPair } from '../motion-pictures.js';

describeEstimator('cpu-log', createCpuLog);

describe('cpu-log', () => {
  it('equals its definition in plain TypeScript', async () => {
    const parameters = {
      width: 176,
      height: 144,
      metric: 'sad',
      blockSize: 16,
      range: { x: 15, y: 11 },
      candidatesPerBlock: 3,
      lambda: 2,
    } as const;
    const request = translatedPair(1, 176, 144, 3, 2);
    const simd = await createCpuLog(parameters, { kernels: 'simd' });
    const reference = await createCpuLog(parameters, { kernels: 'reference' });
    expect(await simd.estimate(request)).toEqual(await reference.estimate(request));
  });
});
