// `cpu-log`: the two-dimensional logarithmic search, few comparisons, the classic fast search to compare with.
import type { EstimatorParameters, MotionEstimator } from '../estimator.js';
import { type CpuEstimatorOptions, createCpuEstimator } from './cpu-estimator.js';
import { planeSearch } from './plane-search.js';

/**
 * Makes `cpu-log` (Jain and Jain 1981; Mazaré et al., EUSIPCO 2006, section 3.2), whose steps are those of
 * `SearchKernels.searchLogarithmically`. The candidates are the best of the vectors that it tries.
 */
export function createCpuLog(
  parameters: EstimatorParameters,
  options: CpuEstimatorOptions = {},
): Promise<MotionEstimator> {
  return createCpuEstimator(parameters, options, () =>
    planeSearch('cpu-log', parameters, (kernels, job, row) => kernels.searchLogarithmically(job, row)),
  );
}
