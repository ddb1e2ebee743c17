import type { EstimatorParameters } from '../motion/estimator.js';
import { createGpuEstimator, type GpuAlgorithm, type GpuEstimator, type GpuEstimatorOptions } from './gpu-estimator.js';
import { createFullSearch, type FullSearchTuning } from './search/full-search.js';
import { createMrmpSearch } from './search/mrmp-search.js';

export { type AdapterDescription, type AdapterReport, describeAdapters } from './device/adapters.js';
export type { GpuEstimator, GpuEstimatorOptions, GpuStatistics } from './gpu-estimator.js';
export type { FullSearchTuning } from './search/full-search.js';

/** Options of `gpu-full`. */
export interface GpuFullOptions extends GpuEstimatorOptions {
  readonly tuning?: FullSearchTuning | undefined;
}

/** `gpu-full`: every vector of the range; equals `cpu-full`. Rejects with `UnsupportedError` where there is no GPU for it. */
export function createGpuFull(parameters: EstimatorParameters, options: GpuFullOptions = {}): Promise<GpuEstimator> {
  const algorithm: GpuAlgorithm = {
    traits: { name: 'gpu-full', runsOn: 'gpu', exhaustive: true },
    compile: device => createFullSearch(device, parameters, options.tuning),
    twin: async twinParameters => (await import('../motion/cpu/cpu-full.js')).createCpuFull(twinParameters),
  };
  return createGpuEstimator(algorithm, parameters, options);
}

/** `gpu-mrmp`: multiresolution multi-predictor search; equals `cpu-mrmp`. Rejects like `createGpuFull`. */
export function createGpuMrmp(
  parameters: EstimatorParameters,
  options: GpuEstimatorOptions = {},
): Promise<GpuEstimator> {
  const algorithm: GpuAlgorithm = {
    traits: { name: 'gpu-mrmp', runsOn: 'gpu', exhaustive: false },
    compile: createMrmpSearch,
    twin: async twinParameters => (await import('../motion/cpu/cpu-mrmp.js')).createCpuMrmp(twinParameters),
  };
  return createGpuEstimator(algorithm, parameters, options);
}
