// GPUs with a fault: what a test changes about a device before the estimator gets it.
/// <reference types="@webgpu/types" />
import { openTestGpu } from './test-gpu.js';

/** What a test does to the device before the estimator gets it. */
export type DeviceChange = (device: GPUDevice) => GPUDevice | Promise<GPUDevice>;

/**
 * A GPU with every device passed through `change`: by default one that is opened for it, whose devices can be lost. It
 * holds the entry point for its own lifetime.
 */
export async function gpuWith(change: DeviceChange, of?: GPU): Promise<GPU> {
  const gpu = of ?? (await openTestGpu());
  const requestAdapter = async (options?: GPURequestAdapterOptions) => {
    const adapter = await gpu.requestAdapter(options);
    if (!adapter) return null;
    const requestDevice = adapter.requestDevice.bind(adapter);
    adapter.requestDevice = async descriptor => change(await requestDevice(descriptor));
    return adapter;
  };
  return { requestAdapter, wgslLanguageFeatures: gpu.wgslLanguageFeatures } as unknown as GPU;
}

/** A GPU without any adapter. */
export function gpuWithoutAdapter(): GPU {
  return { requestAdapter: async () => null } as unknown as GPU;
}
