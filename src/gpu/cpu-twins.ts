// The CPU twins of GPU estimators, whose fields are those that a GPU has to find. They are loaded with the GPU's code.
import { BUILT_IN_ESTIMATORS, type GpuEstimatorName } from '../motion/built-in-estimators.js';
import { createCpuFull } from '../motion/cpu/cpu-full.js';
import { createCpuMrmp } from '../motion/cpu/cpu-mrmp.js';
import type { EstimatorFactory } from '../motion/estimator.js';

/** Makes the CPU estimator that gives the same fields. */
export const CPU_TWINS: Readonly<Record<GpuEstimatorName, EstimatorFactory>> = {
  'gpu-full': createCpuFull,
  'gpu-mrmp': createCpuMrmp,
  'gpu-sgm': BUILT_IN_ESTIMATORS['cpu-sgm'].create,
};
