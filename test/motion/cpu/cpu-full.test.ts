// cpu-full keeps the estimator contract, with and without elimination, over the largest pictures too.
import { describe, expect, it } from 'vitest';
import { createCpuFull } from '../../../src/motion/cpu/cpu-full.js';
import type { EstimatorParameters, MotionField } from '../../../src/motion/estimator.js';
import { describeEstimator } from '../estimator-suite.js';
import { faultsOf } from '../field-oracle.js';
import { makePicture } from '../motion-pictures.js';

describeEstimator('cpu-full', createCpuFull);
describeEstimator('cpu-full without elimination', parameters => createCpuFull(parameters, { elimination: false }));
describeEstimator('cpu-full in plain TypeScript', parameters => createCpuFull(parameters, { kernels: 'reference' }));

describe('cpu-full over the largest pictures', () => {
  it.each([
    [4096, 16],
    [16, 2800],
  ])('%i x %i, the whole picture', async (width, height) => {
    const parameters: EstimatorParameters = {
      width,
      height,
      metric: 'sad',
      blockSize: 16,
      range: 'picture',
      candidatesPerBlock: 2,
      lambda: 1,
    };
    const request = {
      current: makePicture(1, width, height, 'texture'),
      reference: makePicture(2, width, height, 'texture'),
    };
    const fields: MotionField[] = [];
    for (const options of [{}, { elimination: false }]) {
      const estimator = await createCpuFull(parameters, options);
      fields.push(await estimator.estimate(request));
    }
    expect(fields[0]).toEqual(fields[1]);
    expect(faultsOf(parameters, request, fields[0])).toEqual([]);
    expect(fields[0].cost.some((_, i) => Math.abs(fields[0].dx[i]) > 255 || Math.abs(fields[0].dy[i]) > 255)).toBe(
      true,
    );
  });
});
