import { createGpuFull } from '../../src/gpu/gpu-estimators.js';
import { describeEstimator } from '../motion/estimator-suite.js';

describeEstimator('gpu-full', createGpuFull);
