// A GPU estimator on the caller's device, in the calling thread: pictures that lie there need no upload.
import { OptionError } from '../errors.js';
import type { GpuDeviceType } from '../platform-types.js';
import { BUILT_IN_NAMES, type GpuEstimatorName, needsGpu } from './built-in-estimators.js';
import type { EstimatorFactory } from './estimator.js';

/** A factory whose estimators can tell of the faults that they survive. */
export interface WarningFactory extends EstimatorFactory {
  /** The same factory, of estimators that call `onWarning` once for each such fault. */
  readonly withWarnings?: (onWarning: ((message: string) => void) | undefined) => EstimatorFactory;
}

/**
 * A factory for the option `estimator`: the GPU estimator called `name`, on `device`, which it leaves open. It copies
 * luma from a frame's `gpu` where there is one, within the GPU; other frames are uploaded. A device or a buffer that
 * fails is no error: the CPU twin goes on, with the same vectors, and `onWarning` of the encode is told. Throws
 * OptionError for another name, and without a device.
 */
export function gpuEstimatorOn(name: GpuEstimatorName, device: GpuDeviceType): EstimatorFactory {
  if (!needsGpu(name)) {
    const legal = BUILT_IN_NAMES.filter(needsGpu).join(', ');
    throw new OptionError('name', `name is '${String(name)}'; legal: ${legal}`);
  }
  if (!Object(device).createBuffer) {
    throw new OptionError('device', `device is ${typeof device}: a GPUDevice is needed`);
  }
  const withWarnings =
    (onWarning?: (message: string) => void): EstimatorFactory =>
    async parameters => {
      const { GPU_FACTORIES } = await import('../gpu/gpu-estimators.js');
      return GPU_FACTORIES[name](parameters, { device, onWarning });
    };
  return Object.assign(withWarnings(), { withWarnings }) satisfies WarningFactory;
}
