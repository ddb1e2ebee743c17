import { createGpuMrmp } from '../../src/gpu/gpu-estimators.js';
import { describeEstimator } from '../motion/estimator-suite.js';

describeEstimator('gpu-mrmp', createGpuMrmp);
