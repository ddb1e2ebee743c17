/// <reference types="@webgpu/types" />
import { UnsupportedError } from '../../errors.js';

/** Flags for Dawn: timestamps to the nanosecond rather than rounded to 0.1 ms, since they measure our own kernels. */
const DAWN_FLAGS = ['disable-dawn-features=timestamp_quantization'];

/** How an adapter is found. */
export interface DeviceOptions {
  /** The WebGPU entry point to use rather than this machine's (`navigator.gpu`, else the `webgpu` package). */
  readonly gpu?: GPU | undefined;
  /** False refuses software adapters (SwiftShader, llvmpipe, WARP); by default they are used when nothing else is there. */
  readonly allowSoftware?: boolean | undefined;
}

/** An open device with all that must live as long as it. */
export interface GpuDevice {
  readonly device: GPUDevice;
  /** For people: "NVIDIA H200 (WebGPU)". */
  readonly name: string;
  readonly software: boolean;
  readonly hasTimestamps: boolean;
  /** Destroys the device and waits until it is gone; no map may be pending unless it is caught. Idempotent. */
  close(): Promise<void>;
}

/**
 * The machine's WebGPU entry point. The caller keeps the object alive as long as anything made from it: Dawn frees its
 * state with it. Rejects with `UnsupportedError` where the `webgpu` package is absent or does not load.
 */
export async function findGpu(): Promise<GPU> {
  const navigatorGpu = (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;
  if (navigatorGpu) return navigatorGpu;
  const packageName = 'webgpu'; // not a literal in import(): bundlers for browsers must not look for it
  let create: (flags: string[]) => GPU;
  try {
    ({ create } = (await import(packageName)) as { create: (flags: string[]) => GPU });
  } catch (error) {
    throw new UnsupportedError(explainMissingPackage(error));
  }
  try {
    return create(DAWN_FLAGS);
  } catch (error) {
    throw new UnsupportedError(`WebGPU does not start: ${messageOf(error)}`);
  }
}

/** The best adapter: the fast one, or with `allowSoftware` whatever there is. Rejects with `UnsupportedError`. */
export async function findAdapter(gpu: GPU, allowSoftware: boolean): Promise<GPUAdapter> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new UnsupportedError(`no usable GPU: ${explainMissingAdapter()}`);
  if (!allowSoftware && isSoftwareAdapter(adapter.info)) {
    throw new UnsupportedError(
      `no GPU, only the software adapter "${adapterName(adapter.info)}"; ${explainMissingAdapter()}`,
    );
  }
  return adapter;
}

/**
 * Opens the machine's GPU. Rejects with `UnsupportedError` where there is none to use, and with `DeviceRefusedError` where
 * there is one whose driver gives no device.
 */
export async function openDevice(options: DeviceOptions = {}): Promise<GpuDevice> {
  const gpu = options.gpu ?? (await findGpu());
  const adapter = await findAdapter(gpu, options.allowSoftware ?? true);
  const hasTimestamps = adapter.features.has('timestamp-query');
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({
      label: 'mpegpu',
      requiredFeatures: hasTimestamps ? ['timestamp-query'] : [],
      requiredLimits: {
        maxComputeWorkgroupStorageSize: Math.min(adapter.limits.maxComputeWorkgroupStorageSize, 32768),
        maxStorageBufferBindingSize: adapter.limits.maxStorageBufferBindingSize,
        maxBufferSize: adapter.limits.maxBufferSize,
      },
    });
  } catch (error) {
    throw new DeviceRefusedError(`${adapterName(adapter.info)} gives no device: ${messageOf(error)}`);
  }
  return new OpenDevice(gpu, device, adapter.info, hasTimestamps);
}

/** An adapter is there, but its driver refused a device. */
export class DeviceRefusedError extends UnsupportedError {}

/** Names the property of a device that keeps its entry point alive. */
const ENTRY_POINT = Symbol('mpegpu.entryPoint');

class OpenDevice implements GpuDevice {
  readonly name: string;
  readonly software: boolean;
  #closed = false;

  constructor(
    gpu: GPU,
    readonly device: GPUDevice,
    info: GPUAdapterInfo,
    readonly hasTimestamps: boolean,
  ) {
    // Dawn's finalizer of a device, even a destroyed one, aborts the process if the entry point went first: whoever holds
    // the device must hold both.
    Object.defineProperty(device, ENTRY_POINT, { value: gpu });
    this.name = `${adapterName(info)} (WebGPU)`;
    this.software = isSoftwareAdapter(info);
  }

  async close(): Promise<void> {
    if (!this.#closed) this.device.destroy();
    this.#closed = true;
    await this.device.lost;
  }
}

/** An adapter's name for people. */
export function adapterName(info: GPUAdapterInfo): string {
  const name = /swiftshader/i.test(info.architecture)
    ? `SwiftShader ${info.architecture}`
    : info.device || info.description;
  const words = [info.vendor, name || info.architecture].filter(word => word !== '');
  return words.join(' ') || 'unnamed adapter';
}

/** Is this a GPU made of CPU code? */
export function isSoftwareAdapter(info: GPUAdapterInfo): boolean {
  const words = `${info.vendor} ${info.architecture} ${info.device} ${info.description}`;
  return info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|basic render|warp/i.test(words);
}

/** The first line of whatever was thrown, a GPUError among them (which is no Error). */
export function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return (typeof message === 'string' && message !== '' ? message : String(error)).split('\n')[0]!;
}

function explainMissingPackage(error: unknown): string {
  const code = (error as { code?: string }).code;
  const missing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return missing
    ? 'WebGPU is absent: the optional package "webgpu" is not installed (npm install webgpu@^0.6.2)'
    : `WebGPU is absent: the package "webgpu" does not load here (${messageOf(error)})`;
}

/** Why a machine with WebGPU has no adapter, and what to install. */
export function explainMissingAdapter(): string {
  const host = (globalThis as { process?: NodeProcess }).process;
  if (host?.platform !== 'linux' || !host.dlopen) return 'WebGPU offers no adapter here; update the graphics driver';
  try {
    host.dlopen({ exports: {} }, 'libvulkan.so.1');
  } catch (error) {
    // A library that loads but is no Node addon is said to "not self-register"; any other failure is the loader's.
    if (!/self-register/.test(messageOf(error))) {
      return `there is no Vulkan loader (${messageOf(error)}); install libvulkan1 (Debian, Ubuntu) or vulkan-loader (Fedora)`;
    }
  }
  return (
    'the Vulkan loader finds no driver that WebGPU accepts; install the Vulkan driver of the GPU (NVIDIA: its own driver; ' +
    'AMD, Intel: mesa-vulkan-drivers). Dawn refuses some, such as old versions of lavapipe, and says so on stderr'
  );
}

interface NodeProcess {
  readonly platform: string;
  readonly dlopen?: (module: { exports: object }, path: string) => void;
}
