// The GPU of the tests that encodes.test.ts joins.
import type { EstimatorParameters } from '../../src/motion/estimator.js';
import { shareGpu } from './test-gpu.js';

/** Its devices are compiled for once, but cannot be lost. */
export const shared = shareGpu();

/** Range, candidates and metric are those of the encodes. */
export const PARAMETERS: EstimatorParameters = {
  width: 48,
  height: 32,
  metric: 'sad',
  blockSize: 16,
  range: { x: 5, y: 5 },
  candidatesPerBlock: 2,
  lambda: 1,
};
