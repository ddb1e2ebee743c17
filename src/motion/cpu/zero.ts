import type { EstimatorParameters, MotionEstimator } from '../estimator.js';
import { type CpuEstimatorOptions, createCpuEstimator } from './cpu-estimator.js';
import { planeSearch } from './plane-search.js';

/** `zero`: no motion; the zero vector of every block with its true cost, K times over. */
export function createZero(
  parameters: EstimatorParameters,
  options: CpuEstimatorOptions = {},
): Promise<MotionEstimator> {
  return createCpuEstimator(parameters, options, () =>
    planeSearch('zero', parameters, (kernels, job, row) => kernels.searchNeighbourhoods(job, row)),
  );
}
