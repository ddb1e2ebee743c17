// A device that stays open for the next estimator of its thread.
import { describe, expect, it } from 'vitest';
import { createGpuMrmp } from '../../src/gpu/gpu-estimators.js';
import { createCpuMrmp } from '../../src/motion/cpu/cpu-mrmp.js';
import type { EstimatorParameters } from '../../src/motion/estimator.js';
import { ThreadGpu } from '../../src/motion/threads/thread-gpu.js';
import { gpuWith } from './broken-gpu.js';
import { picturePair } from './pictures.js';
import { PARAMETERS, shared } from './shared-gpu.js';

const PAIR = picturePair('moving', PARAMETERS.width, PARAMETERS.height, 0);

/** Estimators of one thread, one after the other, and what they do with the GPU. */
async function thread() {
  const devices: GPUDevice[] = [];
  const lost: GPUDevice[] = [];
  const counts = { compiled: 0 };
  const warnings: string[] = [];
  const gpu = await gpuWith(device => {
    devices.push(device);
    void device.lost.then(() => lost.push(device));
    const compile = device.createComputePipelineAsync.bind(device);
    device.createComputePipelineAsync = descriptor => {
      counts.compiled++;
      return compile(descriptor);
    };
    return device;
  }, shared);
  const keptGpu = new ThreadGpu();
  const create = (more: Partial<EstimatorParameters> = {}, keepsDevice = true) => {
    const onWarning = (message: string) => void warnings.push(message);
    return createGpuMrmp({ ...PARAMETERS, ...more }, { gpu, keptGpu, keepsDevice, onWarning });
  };
  /** Searches a pair, which must have the field of the CPU twin. */
  const search = async (more: Partial<EstimatorParameters> = {}, keepsDevice = true) => {
    const [onGpu, onCpu] = [await create(more, keepsDevice), await createCpuMrmp({ ...PARAMETERS, ...more })];
    expect(await onGpu.estimate(PAIR)).toEqual(await onCpu.estimate(PAIR));
    await Promise.all([onGpu.close(), onCpu.close()]);
  };
  return { devices, lost, counts, warnings, keptGpu, create, search };
}

describe('a device that is kept', { timeout: 60_000 }, () => {
  it('serves the estimators to come; what was compiled last serves those with the same parameters', async () => {
    const { devices, lost, counts, warnings, search } = await thread();
    const compiled: number[] = [];
    for (const candidatesPerBlock of [2, 2, 1, 1, 2]) {
      await search({ candidatesPerBlock });
      compiled.push(counts.compiled);
    }
    expect(compiled).toEqual([2, 2, 4, 4, 6]);
    expect(devices).toHaveLength(1);
    expect(lost).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('is closed by an estimator that keeps none', async () => {
    const { devices, lost, keptGpu, search } = await thread();
    await search();
    await search({}, false);
    expect(lost).toEqual(devices);
    expect(keptGpu.take(true)).toBeUndefined();
  });

  it('is replaced where it is lost while nobody uses it', async () => {
    const { devices, warnings, search } = await thread();
    await search();
    devices[0]!.destroy();
    await devices[0]!.lost;
    await search();
    expect(devices).toHaveLength(2);
    expect(warnings).toEqual([]);
  });

  it('is not kept any more where it fails', async () => {
    const { devices, warnings, keptGpu, create, search } = await thread();
    const estimator = await create();
    devices[0]!.destroy();
    await estimator.estimate(PAIR);
    await estimator.close();
    expect(warnings).toEqual([expect.stringMatching(/the device was lost/)]);
    expect(keptGpu.take(true)).toBeUndefined();
    await search();
    expect(devices).toHaveLength(2);
    expect(warnings).toHaveLength(1);
  });

  it('is closed where it is software and a GPU is wanted', async () => {
    const { devices, lost, keptGpu, search } = await thread();
    await search();
    const idle = keptGpu.take(true)!;
    Object.assign(idle.gpu, { software: true });
    await keptGpu.giveBack(idle);
    const without = { requestAdapter: async () => null } as unknown as GPU;
    const wanted = createGpuMrmp(PARAMETERS, { gpu: without, keptGpu, allowSoftware: false });
    await expect(wanted).rejects.toThrow(/no usable GPU/);
    expect(lost).toEqual(devices);
  });
});
