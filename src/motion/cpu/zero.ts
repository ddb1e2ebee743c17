// `zero`: no search; the zero vector of every block, for comparisons.
import type { EstimatorParameters, MotionEstimator } from '../estimator.js';
import { type CpuEstimatorOptions, createCpuEstimator } from './cpu-estimator.js';
import { planeSearch } from './plane-search.js';

/** Makes `zero`: each block has the zero vector with its cost, K times. */
export function createZero(
  parameters: EstimatorParameters,
  options: CpuEstimatorOptions = {},
): Promise<MotionEstimator> {
  return createCpuEstimator(parameters, options, () =>
    planeSearch('zero', parameters, (kernels, job, row) => kernels.searchNeighbourhoods(job, row)),
  );
}
