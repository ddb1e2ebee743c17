// The GPU estimators, and the report of this machine's adapters: loaded only when they are needed.
import { UnsupportedError } from '../errors.js';
import type { GpuEstimatorName } from '../motion/built-in-estimators.js';
import type { EstimatorParameters, MotionEstimator } from '../motion/estimator.js';
import { createGpuEstimator, type GpuEstimator, type GpuEstimatorOptions } from './gpu-estimator.js';
import { compileFullSearch } from './search/full-search.js';
import type { FullSearchTuning } from './search/full-search-tuning.js';
import { compileMrmpSearch } from './search/mrmp-search.js';

export type { AdapterDescription, AdapterReport } from './device/adapter-report.js';
export { describeAdapters } from './device/adapters.js';
export type { GpuEstimator, GpuEstimatorOptions, GpuStatistics } from './gpu-estimator.js';
export type { FullSearchTuning, KeepMethod } from './search/full-search-tuning.js';

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

/** Makes `gpu-mrmp`, the multiresolution multi-predictor search. Rejects like `createGpuFull`. */
export function createGpuMrmp(
  parameters: EstimatorParameters,
  options: GpuEstimatorOptions = {},
): Promise<GpuEstimator> {
  return createGpuEstimator(
    {
      name: 'gpu-mrmp',
      exhaustive: false,
      compile: device => compileMrmpSearch(device, parameters),
    },
    parameters,
    options,
  );
}

/** Makes `gpu-sgm`, the smooth field of the best vectors of `gpu-full`. Rejects like `createGpuFull`. */
export async function createGpuSgm(
  parameters: EstimatorParameters,
  { onWarning, ...options }: GpuFullOptions = {},
): Promise<MotionEstimator> {
  const asOurs = (message: string) => message.replace(/^gpu-full:/, 'gpu-sgm:');
  // Loaded when it is asked for: most pages never do.
  const { parametersOfLabels, SmoothedEstimator } = await import('../motion/smooth/smoothed-estimator.js');
  try {
    const labels = await createGpuFull(parametersOfLabels(parameters), {
      ...options,
      ...(onWarning && { onWarning: message => onWarning(asOurs(message)) }),
    });
    return new SmoothedEstimator('gpu-sgm', parameters, labels);
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    throw new UnsupportedError(asOurs(error.message), { cause: error });
  }
}

/** The factories by name. */
export const GPU_FACTORIES = {
  'gpu-full': createGpuFull,
  'gpu-mrmp': createGpuMrmp,
  'gpu-sgm': createGpuSgm,
} as const satisfies Readonly<
  Record<GpuEstimatorName, (parameters: EstimatorParameters, options: GpuEstimatorOptions) => Promise<MotionEstimator>>
>;
