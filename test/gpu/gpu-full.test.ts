import { createGpuFull } from '../../src/gpu/gpu-estimators.js';
import type { EstimatorParameters } from '../../src/motion/estimator.js';
import { describeEstimator } from '../motion/estimator-suite.js';

// Few threads make small tiles: most ranges take several.
const tuning = { threads: 64 };

describeEstimator('gpu-full', (parameters: EstimatorParameters) => createGpuFull(parameters, { tuning }));
