// The GPUs of the tests: one device and one cache of pipelines for a file, since a software GPU compiles slowly.
/// <reference types="@webgpu/types" />
import { afterAll, beforeAll } from 'vitest';
import { findGpu } from '../../src/gpu/device/machine-gpu.js';
import { PollingPause } from '../../src/motion/threads/polling-pause.js';
import { fewSettings, type SuiteCase, wholeGridOfCases } from '../motion/estimator-suite.js';
import { IS_SOAK } from '../support/soak.js';

/** True: the tests run on the machine's own GPU, false: on the software GPU of scripts/swiftshader.mjs. */
export const IS_REAL_GPU = process.env.MPEGPU_TEST_GPU === 'real';

/**
 * As in src/gpu/device/machine-gpu.ts, but indices are not checked and divisors may be 0: SwiftShader compiles faster.
 */
export const SOFTWARE_FLAGS = [
  'disable-dawn-features=timestamp_quantization',
  'enable-dawn-features=disable_workgroup_init,disable_robustness,disable_polyfills_on_integer_div_and_mod',
];

/** False: a software GPU compiles too slowly to try everything for every commit. */
export const RUNS_WHOLE_GRID = IS_REAL_GPU || IS_SOAK;

/** The cases of the estimator suite. */
export const gpuCases = (): SuiteCase[] => (RUNS_WHOLE_GRID ? wholeGridOfCases() : fewSettings());

/**
 * The GPU of tests that do not ask how it was opened. On a software GPU, shaders are compiled without the code that
 * fills workgroup memory with zeros and keeps indices in their arrays: a shader that relies on those zeros, or leaves
 * an array, fails here before it fails anywhere else.
 */
export async function openTestGpu(): Promise<GPU> {
  if (IS_REAL_GPU) return findGpu();
  const { create } = (await import('webgpu')) as unknown as { create: (flags: string[]) => GPU };
  return create(SOFTWARE_FLAGS);
}

/** For the calling test file: as a search thread does. A software GPU is slow enough as it is. */
export function sleepBetweenPolls(): void {
  let pause: PollingPause | undefined;
  beforeAll(() => {
    pause = new PollingPause();
  });
  afterAll(() => pause?.end());
}

/**
 * A GPU for the calling test file whose devices are all one device with one cache of pipelines. A device of it that is
 * destroyed reports that it is lost, but the one below lives on until the tests of the file are over.
 */
export function shareGpu(): GPU {
  sleepBetweenPolls();
  let gpu: Promise<GPU> | undefined; // Dawn needs it as long as anything that was made from it
  let shared: Promise<SharedDevice> | undefined;
  afterAll(async () => (await shared)?.device.destroy());
  const requestAdapter = async (options?: GPURequestAdapterOptions) => {
    gpu ??= openTestGpu();
    const adapter = await (await gpu).requestAdapter(options);
    if (!adapter) return null;
    const requestDevice = adapter.requestDevice.bind(adapter);
    adapter.requestDevice = async descriptor => {
      shared ??= requestDevice(descriptor).then(device => ({ device, modules: new Map(), pipelines: new Map() }));
      return leaseDevice(await shared);
    };
    return adapter;
  };
  return { requestAdapter } as unknown as GPU;
}

interface SharedDevice {
  readonly device: GPUDevice;
  /** By the text of the shader. */
  readonly modules: Map<string, GPUShaderModule>;
  /** By everything that a pipeline is made from. */
  readonly pipelines: Map<string, Promise<GPUComputePipeline>>;
}

/** The shared device in the guise of one that can be destroyed. */
function leaseDevice({ device, modules, pipelines }: SharedDevice): GPUDevice {
  let lose: (info: GPUDeviceLostInfo) => void = () => {};
  const lost = new Promise<GPUDeviceLostInfo>(resolve => {
    lose = resolve;
  });
  // Not by an AbortSignal: Dawn's devices keep a listener whose signal is aborted, and Node warns of the eleventh.
  const forget: (() => void)[] = [];
  const own = {
    lost,
    destroy() {
      for (const remove of forget) remove();
      lose({ reason: 'destroyed', message: 'by the test' } as GPUDeviceLostInfo);
    },
    addEventListener(type: 'uncapturederror', listener: (event: GPUUncapturedErrorEvent) => void) {
      device.addEventListener(type, listener);
      forget.push(() => device.removeEventListener(type, listener));
    },
    createShaderModule(descriptor: GPUShaderModuleDescriptor): GPUShaderModule {
      const known = modules.get(descriptor.code) ?? device.createShaderModule(descriptor);
      modules.set(descriptor.code, known);
      return known;
    },
    createComputePipelineAsync(descriptor: GPUComputePipelineDescriptor): Promise<GPUComputePipeline> {
      const { module, entryPoint, constants } = descriptor.compute;
      const code = [...modules].find(([, known]) => known === module)?.[0];
      const key = JSON.stringify([descriptor.layout, entryPoint, constants, code]);
      const known = pipelines.get(key) ?? device.createComputePipelineAsync(descriptor);
      pipelines.set(key, known);
      return known;
    },
  };
  return new Proxy(own as unknown as GPUDevice, {
    get(_, name) {
      if (name in own) return own[name as keyof typeof own];
      const value: unknown = Reflect.get(device, name, device);
      return typeof value === 'function' ? value.bind(device) : value;
    },
  });
}
