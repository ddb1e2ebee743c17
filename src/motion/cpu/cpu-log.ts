import type { EstimatorParameters, MotionEstimator } from '../estimator.js';
import { type CpuEstimatorOptions, createCpuEstimator } from './cpu-estimator.js';
import { planeSearch } from './plane-search.js';

/**
 * `cpu-log`: the two-dimensional logarithmic search (Jain and Jain 1981; Mazaré et al., EUSIPCO 2006, section 3.2), step by
 * step as `SearchKernels.searchLogarithmically` says. The candidates are the best of the vectors it visits.
 */
export function createCpuLog(
  parameters: EstimatorParameters,
  options: CpuEstimatorOptions = {},
): Promise<MotionEstimator> {
  return createCpuEstimator(parameters, options, () =>
    planeSearch('cpu-log', parameters, (kernels, job, row) => kernels.searchLogarithmically(job, row)),
  );
}
