// Chooses an adapter, and says what adapters are.
/// <reference types="@webgpu/types" />
import { UnsupportedError } from '../../errors.js';

/** Why there is no adapter. */
export type Explain = () => string;

/** The fastest adapter; a software adapter only with `allowSoftware`. Rejects with `UnsupportedError`. */
export async function findAdapter(gpu: GPU, allowSoftware: boolean, explain: Explain): Promise<GPUAdapter> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw noAdapter(explain());
  if (!allowSoftware && isSoftwareAdapter(adapter.info)) throw onlySoftware(adapterName(adapter.info), explain);
  return adapter;
}

/** The error where there is no adapter. */
export function noAdapter(reason: string): UnsupportedError {
  return new UnsupportedError(`no usable GPU: ${reason}`);
}

/** The error where there is a software adapter alone, and it is not wanted. */
export function onlySoftware(name: string, explain: Explain): UnsupportedError {
  return new UnsupportedError(`no GPU, only the software adapter "${name}"; ${explain()}`);
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

/** The first line of the message of whatever was thrown. A GPUError has a message, too, though it is no Error. */
export function firstLineOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return (typeof message === 'string' && message !== '' ? message : String(error)).split('\n')[0]!;
}
