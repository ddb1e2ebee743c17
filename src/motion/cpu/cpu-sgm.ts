// `cpu-sgm`: the best vectors of the exhaustive search, chosen so that the field is smooth.
import type { EstimatorParameters, MotionEstimator } from '../estimator.js';
import { parametersOfLabels, SmoothedEstimator } from '../smooth/smoothed-estimator.js';
import type { CpuEstimatorOptions } from './cpu-estimator.js';
import { createCpuFull } from './cpu-full.js';

/** Makes `cpu-sgm`. Throws OptionError for parameters out of range. */
export async function createCpuSgm(
  parameters: EstimatorParameters,
  options: CpuEstimatorOptions = {},
): Promise<MotionEstimator> {
  return new SmoothedEstimator('cpu-sgm', parameters, await createCpuFull(parametersOfLabels(parameters), options));
}
