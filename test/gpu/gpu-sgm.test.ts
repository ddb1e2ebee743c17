// gpu-sgm gives the fields of cpu-sgm, and says under its own name what is wrong.
import { describe, expect, it } from 'vitest';
import { UnsupportedError } from '../../src/errors.js';
import { createGpuSgm } from '../../src/gpu/gpu-estimators.js';
import { createCpuSgm } from '../../src/motion/cpu/cpu-sgm.js';
import type { EstimatorParameters } from '../../src/motion/estimator.js';
import { describeEstimator } from '../motion/estimator-suite.js';
import { gpuWithoutAdapter } from './broken-gpu.js';
import { PICTURE_KINDS, picturePair } from './pictures.js';
import { gpuCases, RUNS_WHOLE_GRID, shareGpu } from './test-gpu.js';

const PARAMETERS: EstimatorParameters = {
  width: 64,
  height: 48,
  metric: 'sad',
  blockSize: 16,
  range: { x: 7, y: 5 },
  candidatesPerBlock: 2,
  lambda: 0.7,
};

const gpu = shareGpu();

describe('gpu-sgm', () => {
  it('equals cpu-sgm on pictures of every kind', async () => {
    const warnings: string[] = [];
    const onGpu = await createGpuSgm(PARAMETERS, { gpu, onWarning: message => warnings.push(message) });
    const onCpu = await createCpuSgm(PARAMETERS);
    for (const [index, kind] of PICTURE_KINDS.entries()) {
      const request = picturePair(kind, PARAMETERS.width, PARAMETERS.height, 2 * index);
      expect(await onGpu.estimate(request), kind).toEqual(await onCpu.estimate(request));
    }
    expect(onGpu.traits).toEqual({ name: 'gpu-sgm', runsOn: 'gpu', exhaustive: false });
    await Promise.all([onGpu.close(), onCpu.close()]);
    expect(warnings).toEqual([]);
  });

  it('says why a machine cannot run it', async () => {
    const made = createGpuSgm(PARAMETERS, { gpu: gpuWithoutAdapter() });
    await expect(made).rejects.toThrow(UnsupportedError);
    await expect(made).rejects.toThrow(/^gpu-sgm: no usable GPU/);
  });
});

if (RUNS_WHOLE_GRID) describeEstimator('gpu-sgm', parameters => createGpuSgm(parameters, { gpu }), gpuCases());
