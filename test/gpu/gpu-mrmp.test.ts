// gpu-mrmp keeps the estimator contract.
import { afterAll, expect } from 'vitest';
import { createGpuMrmp } from '../../src/gpu/gpu-estimators.js';
import type { EstimatorParameters } from '../../src/motion/estimator.js';
import { describeEstimator } from '../motion/estimator-suite.js';
import { gpuCases, shareGpu } from './test-gpu.js';

const gpu = shareGpu();
// Where the GPU fails, its CPU twin answers: the suite would hold, but not for the GPU.
const warnings: string[] = [];
const onWarning = (message: string) => warnings.push(message);
afterAll(() => expect(warnings).toEqual([]));

describeEstimator(
  'gpu-mrmp',
  (parameters: EstimatorParameters) => createGpuMrmp(parameters, { gpu, onWarning }),
  gpuCases(),
);
