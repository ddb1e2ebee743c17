// The GPU estimators, and the report of this machine's adapters: loaded only when they are needed.
import type { GpuEstimatorName } from '../motion/built-in-estimators.js';
import type { EstimatorParameters } from '../motion/estimator.js';
import { createGpuEstimator, type GpuEstimator, type GpuEstimatorOptions } from './gpu-estimator.js';
import { compileFullSearch } from './search/full-search.js';
import type { FullSearchTuning } from './search/full-search-tuning.js';
import type { KeepMethod } from './search/kept-candidates.js';
import { compileMrmpSearch } from './search/mrmp-search.js';

export type { AdapterDescription, AdapterReport } from './device/adapter-report.js';
export { describeAdapters } from './device/adapters.js';
export type { GpuEstimator, GpuEstimatorOptions, GpuStatistics } from './gpu-estimator.js';
export type { FullSearchTuning } from './search/full-search-tuning.js';
export type { KeepMethod } from './search/kept-candidates.js';

/** Options of `gpu-full`. */
export interface GpuFullOptions extends GpuEstimatorOptions {
  readonly tuning?: FullSearchTuning | undefined;
}

/** Makes `gpu-full`, the exhaustive search. Rejects with `UnsupportedError` where there is no GPU for it. */
export function createGpuFull(parameters: EstimatorParameters, options: GpuFullOptions = {}): Promise<GpuEstimator> {
  return createGpuEstimator(
    {
      name: 'gpu-full',
      exhaustive: true,
      compile: device => compileFullSearch(device, parameters, options.tuning),
    },
    parameters,
    options,
  );
}

/** Options of `gpu-mrmp`. */
export interface GpuMrmpOptions extends GpuEstimatorOptions {
  /** How the best candidates are kept; by default, their number decides. It never changes the result. */
  readonly keep?: KeepMethod | undefined;
}

/** Makes `gpu-mrmp`, the multiresolution multi-predictor search. Rejects like `createGpuFull`. */
export function createGpuMrmp(parameters: EstimatorParameters, options: GpuMrmpOptions = {}): Promise<GpuEstimator> {
  return createGpuEstimator(
    {
      name: 'gpu-mrmp',
      exhaustive: false,
      compile: device => compileMrmpSearch(device, parameters, options.keep),
    },
    parameters,
    options,
  );
}

/** The factories by name. */
export const GPU_FACTORIES = {
  'gpu-full': createGpuFull,
  'gpu-mrmp': createGpuMrmp,
} as const satisfies Readonly<
  Record<GpuEstimatorName, (parameters: EstimatorParameters, options: GpuEstimatorOptions) => Promise<GpuEstimator>>
>;
