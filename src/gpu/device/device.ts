// Finds this machine's WebGPU adapter, opens a device on it, and explains what is missing.
/// <reference types="@webgpu/types" />
import { UnsupportedError } from '../../errors.js';
import type { AdapterReport } from './adapter-report.js';
import { startDawn } from './dawn.js';
import { surelyHasNoGpu } from './device-files.js';
import { messageOf } from './gpu-messages.js';
import { findQuietWay, withVariables } from './quiet-drivers.js';

/** Workgroup memory to ask for in bytes, where the adapter has it; unasked, WebGPU gives 16 KiB. */
const WORKGROUP_BYTES = 32768;

/** Options of {@link openDevice}. */
export interface DeviceOptions {
  /** The WebGPU entry point; by default `navigator.gpu`, or else that of the `webgpu` package. */
  readonly gpu?: GPU | undefined;
  /** False refuses software adapters (SwiftShader, llvmpipe, WARP); true, the default, takes one if need be. */
  readonly allowSoftware?: boolean | undefined;
}

/** An open device. */
export interface GpuDevice {
  readonly device: GPUDevice;
  /** Its name for people: "NVIDIA H200 (WebGPU)". */
  readonly name: string;
  readonly software: boolean;
  readonly hasTimestamps: boolean;
  /** Destroys the device and waits until it is gone. Pending maps reject, which must be handled. */
  close(): Promise<void>;
}

/**
 * The machine's WebGPU entry point. The caller must keep the object as long as anything made from it, since Dawn frees
 * its state with it. Rejects with `UnsupportedError` where the `webgpu` package is absent or does not load.
 */
export async function findGpu(): Promise<GPU> {
  const ready = navigatorGpu();
  if (ready) return ready;
  return startDawn();
}

function navigatorGpu(): GPU | undefined {
  return (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;
}

/** The fastest adapter; a software adapter only with `allowSoftware`. Rejects with `UnsupportedError`. */
export async function findAdapter(gpu: GPU, allowSoftware: boolean): Promise<GPUAdapter> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw noAdapter(explainMissingAdapter());
  if (!allowSoftware && isSoftwareAdapter(adapter.info)) throw onlySoftware(adapterName(adapter.info));
  return adapter;
}

/**
 * As `findAdapter`, but Dawn and the drivers print nothing: a process of its own asks them before. If that one gets no
 * usable adapter, they are not loaded in this process.
 */
async function findAdapterQuietly(gpu: GPU, allowSoftware: boolean): Promise<GPUAdapter> {
  const isUsable = ({ adapters: [first] }: AdapterReport) => first !== undefined && (allowSoftware || !first.software);
  const { report, variables } = await findQuietWay(isUsable);
  if (report && !isUsable(report)) {
    const [first] = report.adapters;
    throw first ? onlySoftware(first.name) : noAdapter(report.reason ?? explainMissingAdapter());
  }
  return withVariables(variables, () => findAdapter(gpu, allowSoftware));
}

function noAdapter(reason: string): UnsupportedError {
  return new UnsupportedError(`no usable GPU: ${reason}`);
}

function onlySoftware(name: string): UnsupportedError {
  return new UnsupportedError(`no GPU, only the software adapter "${name}"; ${explainMissingAdapter()}`);
}

/**
 * Opens the machine's GPU. Rejects with `UnsupportedError` where there is no usable one, and with `DeviceRefusedError`
 * where the driver of a usable one gives no device.
 */
export async function openDevice(options: DeviceOptions = {}): Promise<GpuDevice> {
  const { allowSoftware = true } = options;
  if (!options.gpu && !allowSoftware && surelyHasNoGpu()) {
    throw new UnsupportedError('no GPU: this machine has no graphics device (no /dev/dri, no /dev/nvidia0)');
  }
  const gpu = options.gpu ?? (await findGpu());
  const isOwnDawn = !options.gpu && gpu !== navigatorGpu();
  const adapter = await (isOwnDawn ? findAdapterQuietly : findAdapter)(gpu, allowSoftware);
  const hasTimestamps = adapter.features.has('timestamp-query');
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({
      label: 'mpegpu',
      requiredFeatures: hasTimestamps ? ['timestamp-query'] : [],
      requiredLimits: {
        maxComputeWorkgroupStorageSize: Math.min(adapter.limits.maxComputeWorkgroupStorageSize, WORKGROUP_BYTES),
        maxStorageBufferBindingSize: adapter.limits.maxStorageBufferBindingSize,
        maxBufferSize: adapter.limits.maxBufferSize,
      },
    });
  } catch (error) {
    throw new DeviceRefusedError(`${adapterName(adapter.info)} gives no device: ${messageOf(error)}`);
  }
  return new OpenDevice(gpu, device, adapter.info, hasTimestamps);
}

/** There is an adapter, but its driver gives no device. */
export class DeviceRefusedError extends UnsupportedError {}

/** Key of the property through which a device keeps its entry point alive. */
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
    // Dawn aborts the process if the entry point is freed before a device, even a destroyed one. So whoever holds the
    // device must hold the entry point, too.
    Object.defineProperty(device, ENTRY_POINT, { value: gpu });
    // Dawn would print the error, on standard output of all places, where a video or JSON may go.
    device.addEventListener('uncapturederror', event => event.preventDefault());
    this.name = `${adapterName(info)} (WebGPU)`;
    this.software = isSoftwareAdapter(info);
  }

  async close(): Promise<void> {
    if (!this.#closed) this.device.destroy();
    this.#closed = true;
    await this.device.lost;
  }
}

/** The name of an adapter for people. */
export function adapterName(info: GPUAdapterInfo): string {
  const name = /swiftshader/i.test(info.architecture)
    ? `SwiftShader ${info.architecture}`
    : info.device || info.description;
  const words = [info.vendor, name || info.architecture].filter(word => word !== '');
  return words.join(' ') || 'unnamed adapter';
}

/** Whether the adapter is a program on the CPU. */
export function isSoftwareAdapter(info: GPUAdapterInfo): boolean {
  const words = `${info.vendor} ${info.architecture} ${info.device} ${info.description}`;
  return info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|basic render|warp/i.test(words);
}

/** Why this machine has WebGPU but no GPU, and what to install. */
export function explainMissingAdapter(): string {
  const host = (globalThis as { process?: NodeProcess }).process;
  if (host?.platform !== 'linux' || !host.dlopen) return 'WebGPU offers no adapter here; update the graphics driver';
  try {
    host.dlopen({ exports: {} }, 'libvulkan.so.1');
  } catch (error) {
    // Node says "did not self-register" of a library that loads but is no addon. Other errors: it does not load.
    if (!/self-register/.test(messageOf(error))) {
      return `there is no Vulkan loader (${messageOf(error)}); install libvulkan1 (Debian, Ubuntu) or vulkan-loader (Fedora)`;
    }
  }
  return (
    'the Vulkan loader finds no driver that WebGPU accepts; install the Vulkan driver of the GPU (NVIDIA: its own driver; ' +
    'AMD, Intel: mesa-vulkan-drivers). Dawn refuses some, such as old versions of lavapipe; what it says is in ' +
    '`mpegpu devices --verbose`'
  );
}

interface NodeProcess {
  readonly platform: string;
  readonly dlopen?: (module: { exports: object }, path: string) => void;
}
