import { createGpuFull } from '../../src/gpu/gpu-estimators.js';
import type { EstimatorParameters } from '../../src/motion/estimator.js';
import { describeEstimator } from '../motion/estimator-suite.js';

// Small tiles: they compile sooner, and every range takes several. equality.test.ts has those that are used otherwise.
const tuning = { tile: 9 };

describeEstimator('gpu-full', (parameters: EstimatorParameters) => createGpuFull(parameters, { tuning }));
