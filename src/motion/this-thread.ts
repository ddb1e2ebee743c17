// Makes an estimator in this thread, the calling one.
import type { KeptGpu } from '../gpu/kept-gpu.js';
import type { KernelChoice } from '../kernels/kernels.js';
import { BUILT_IN_ESTIMATORS, isBuiltInName, needsGpu } from './built-in-estimators.js';
import type { EstimatorParameters, MotionEstimator } from './estimator.js';
import { loadEstimatorModule } from './estimator-module.js';
import { checkParameters } from './parameter-checks.js';

/** Options of {@link createInThisThread}. */
export interface ThisThreadOptions {
  /** Whether a GPU estimator may run on a software adapter; true by default. */
  readonly allowSoftware?: boolean;
  /** Kernel set of the CPU estimators, see select-kernels.ts. */
  readonly kernels?: KernelChoice | undefined;
  /** Pictures that the estimator keeps prepared, at least 2; its own number by default. */
  readonly pictures?: number | undefined;
  /** Whether the costs of a CPU estimator's field may be overwritten by its next search: they are not copied. */
  readonly borrowsCosts?: boolean | undefined;
  /** The answer of the graphics drivers, where another thread asks them. */
  readonly drivers?: { taken(): Promise<string> } | undefined;
  /** What the calling thread keeps for the GPU estimators to come. */
  readonly keptGpu?: KeptGpu | undefined;
  /** Whether the device is kept there, too, when the estimator is closed; false by default. */
  readonly keepsDevice?: boolean | undefined;
  /** Called once for each fault that the estimator survives. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Makes the estimator called `name`, a built-in name or a module path, in the calling thread. */
export async function createInThisThread(
  name: string,
  parameters: EstimatorParameters,
  options: ThisThreadOptions = {},
): Promise<MotionEstimator> {
  checkParameters(parameters);
  if (!isBuiltInName(name)) {
    const { makeGuarded } = await import('./guarded-estimator.js');
    return makeGuarded(name, await loadEstimatorModule(name), parameters);
  }
  if (!needsGpu(name)) return BUILT_IN_ESTIMATORS[name].create(parameters, options);
  const { GPU_FACTORIES } = await import('../gpu/gpu-estimators.js');
  return GPU_FACTORIES[name](parameters, options);
}
