// gpu-full keeps the estimator contract and answers as the exhaustive search on the CPU does.
import { afterAll, expect } from 'vitest';
import { createGpuFull } from '../../src/gpu/gpu-estimators.js';
import type { EstimatorParameters } from '../../src/motion/estimator.js';
import { describeEstimator } from '../motion/estimator-suite.js';
import { gpuCases, shareGpu } from './test-gpu.js';

const gpu = shareGpu();
// Few threads make small tiles: most ranges take several, side by side and one below the other.
const tuning = { threads: 32 };
// Where the GPU fails, its CPU twin answers: the suite would hold, but not for the GPU.
const warnings: string[] = [];
const onWarning = (message: string) => warnings.push(message);
afterAll(() => expect(warnings).toEqual([]));

describeEstimator(
  'gpu-full',
  (parameters: EstimatorParameters) => createGpuFull(parameters, { gpu, tuning, onWarning }),
  gpuCases(),
);
