// gpu-sgm says under its own name what is wrong. That it gives the fields of cpu-sgm is in equality.test.ts.
import { expect, it } from 'vitest';
import { UnsupportedError } from '../../src/errors.js';
import { createGpuSgm } from '../../src/gpu/gpu-estimators.js';
import { describeEstimator, fewSettings } from '../motion/estimator-suite.js';
import { gpuWithoutAdapter } from './broken-gpu.js';
import { gpuCases, RUNS_WHOLE_GRID, shareGpu } from './test-gpu.js';

it('gpu-sgm says why a machine cannot run it', async () => {
  const [{ parameters }] = fewSettings();
  const made = createGpuSgm(parameters, { gpu: gpuWithoutAdapter() });
  await expect(made).rejects.toThrow(UnsupportedError);
  await expect(made).rejects.toThrow(/^gpu-sgm: no usable GPU/);
});

if (RUNS_WHOLE_GRID) {
  const gpu = shareGpu();
  describeEstimator('gpu-sgm', parameters => createGpuSgm(parameters, { gpu }), gpuCases());
}
