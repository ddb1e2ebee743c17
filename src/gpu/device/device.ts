// Opens a device on this machine's WebGPU adapter.
/// <reference types="@webgpu/types" />
import { UnsupportedError } from '../../errors.js';
import { adapterName, firstLineOf, isSoftwareAdapter } from './adapter-choice.js';
import type { EarlyAnswer } from './early-answer.js';
import { type KeptEntryPoints, openAdapter } from './machine-gpu.js';
import { PassTimer } from './pass-timer.js';

/** Workgroup memory to ask for in bytes, where the adapter has it; unasked, WebGPU gives 16 KiB. */
const WORKGROUP_BYTES = 32768;
/** The feature by which a device takes times. */
const TIMESTAMPS = 'timestamp-query';

/** Options of {@link openDevice}. */
export interface DeviceOptions {
  /** The WebGPU entry point; by default `navigator.gpu`, or else that of the `webgpu` package. */
  readonly gpu?: GPU | undefined;
  /** The caller's device, which stays open; by default a device of its own is opened. */
  readonly device?: GPUDevice | undefined;
  /** False refuses software adapters (SwiftShader, llvmpipe, WARP); true, the default, takes one if need be. */
  readonly allowSoftware?: boolean | undefined;
  /** The answer of the drivers, where another thread asks them. */
  readonly drivers?: EarlyAnswer | undefined;
  /** Where a thread keeps the machine's entry points for the devices to come. */
  readonly entryPoints?: KeptEntryPoints | undefined;
}

/** An open device. */
export interface GpuDevice {
  readonly device: GPUDevice;
  /** Its name for people: "NVIDIA H200 (WebGPU)". */
  readonly name: string;
  readonly software: boolean;
  /** Whether it is the caller's. */
  readonly isGiven: boolean;
  /** Why it is of no use any more: an error that nobody caught, but for the caller's device, or its loss. */
  readonly fault: string | undefined;
  /** Is told the first fault. */
  onFault: (fault: string) => void;
  /** Takes the times of so many passes; undefined where the device cannot. */
  createTimer(label: string, passes: number): PassTimer | undefined;
  /**
   * Unless it is the caller's: destroys the device and waits until it is gone. Pending maps reject, which must be
   * handled.
   */
  close(): Promise<void>;
}

/**
 * Opens the machine's GPU. Rejects with `UnsupportedError` where there is no usable one, and with `DeviceRefusedError`
 * where the driver of a usable one gives no device.
 */
export async function openDevice(options: DeviceOptions = {}): Promise<GpuDevice> {
  const { allowSoftware = true, device: given, drivers, entryPoints } = options;
  if (given) return new GivenDevice(given);
  const { gpu, adapter } = await openAdapter(options.gpu, allowSoftware, drivers, entryPoints);
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({
      label: 'mpegpu',
      requiredFeatures: adapter.features.has(TIMESTAMPS) ? [TIMESTAMPS] : [],
      requiredLimits: {
        maxComputeWorkgroupStorageSize: Math.min(adapter.limits.maxComputeWorkgroupStorageSize, WORKGROUP_BYTES),
        maxStorageBufferBindingSize: adapter.limits.maxStorageBufferBindingSize,
        maxBufferSize: adapter.limits.maxBufferSize,
      },
    });
  } catch (error) {
    throw new DeviceRefusedError(`${adapterName(adapter.info)} gives no device: ${firstLineOf(error)}`);
  }
  return new OpenDevice(gpu, device, adapter.info);
}

/** There is an adapter, but its driver gives no device. */
export class DeviceRefusedError extends UnsupportedError {}

/** Key of the property through which a device keeps its entry point alive. */
const ENTRY_POINT = Symbol('mpegpu.entryPoint');

/** What tells of the faults of a device. */
abstract class WatchedDevice {
  readonly name: string;
  readonly software: boolean;
  onFault: (fault: string) => void = () => {};
  #fault: string | undefined;

  constructor(
    readonly device: GPUDevice,
    info: GPUAdapterInfo,
  ) {
    this.name = `${adapterName(info)} (WebGPU)`;
    this.software = isSoftwareAdapter(info);
    // Also for the reason 'destroyed': others can destroy the device, too.
    void device.lost.then(({ message }) => this.fail(`the device was lost (${message || 'no reason given'})`));
  }

  get fault(): string | undefined {
    return this.#fault;
  }

  createTimer(label: string, passes: number): PassTimer | undefined {
    return this.device.features.has(TIMESTAMPS) ? new PassTimer(this.device, label, passes) : undefined;
  }

  protected fail(fault: string): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    this.onFault(fault);
  }
}

/** The caller's device. An error that nobody has caught may be anybody's. */
class GivenDevice extends WatchedDevice implements GpuDevice {
  readonly isGiven = true;

  constructor(device: GPUDevice) {
    super(device, device.adapterInfo);
  }

  async close(): Promise<void> {}
}

class OpenDevice extends WatchedDevice implements GpuDevice {
  readonly isGiven = false;
  #closed = false;

  constructor(gpu: GPU, device: GPUDevice, info: GPUAdapterInfo) {
    super(device, info);
    // Dawn aborts the process if the entry point is freed before a device, even a destroyed one. So whoever holds the
    // device must hold the entry point, too.
    Object.defineProperty(device, ENTRY_POINT, { value: gpu });
    device.addEventListener('uncapturederror', event => {
      // Dawn would print the error, on standard output of all places, where a video or JSON may go.
      event.preventDefault();
      this.fail(firstLineOf(event.error));
    });
  }

  async close(): Promise<void> {
    if (!this.#closed) this.device.destroy();
    this.#closed = true;
    await this.device.lost;
  }
}
