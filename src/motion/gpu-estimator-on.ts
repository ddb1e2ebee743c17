// A GPU estimator on the caller's device, in the calling thread: pictures that lie there need no upload.
import { OptionError } from '../errors.js';
import type { GpuDeviceType } from '../platform-types.js';
import { BUILT_IN_NAMES, type GpuEstimatorName, isBuiltInName, needsGpu } from './built-in-estimators.js';
import type { EstimatorFactory } from './estimator.js';

/**
 * A factory for the option `estimator`: the GPU estimator called `name`, on `device`, which it leaves open. It copies
 * luma from a frame's `gpu` where there is one, within the GPU; other frames are uploaded. A device or a buffer that
 * fails is no error: the CPU twin goes on, with the same vectors. Throws OptionError for another name.
 */
export function gpuEstimatorOn(name: GpuEstimatorName, device: GpuDeviceType): EstimatorFactory {
  if (!isBuiltInName(name) || !needsGpu(name)) {
    const legal = BUILT_IN_NAMES.filter(needsGpu).join(', ');
    throw new OptionError('name', named => `${named('name')} is '${String(name)}'; legal: ${legal}`);
  }
  return async parameters => {
    const { GPU_FACTORIES } = await import('../gpu/gpu-estimators.js');
    return GPU_FACTORIES[name](parameters, { device });
  };
}
