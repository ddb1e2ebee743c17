// cpu-sgm keeps the estimator contract, with both kernel sets.
import { createCpuSgm } from '../../../src/motion/cpu/cpu-sgm.js';
import { IS_SOAK } from '../../support/soak.js';
import { describeEstimator, fewSettings, wholeGridOfCases } from '../estimator-suite.js';

describeEstimator('cpu-sgm', createCpuSgm, IS_SOAK ? wholeGridOfCases() : fewSettings());
