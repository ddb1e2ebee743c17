import { createCpuFull } from '../../src/motion/cpu-full.js';
import { describeEstimator } from './estimator-suite.js';

describeEstimator('cpu-full', createCpuFull);
describeEstimator('cpu-full without elimination', parameters => createCpuFull(parameters, { elimination: false }));
describeEstimator('cpu-full in plain TypeScript', parameters => createCpuFull(parameters, { kernels: 'reference' }));
