// Starts Dawn, which gives Node WebGPU: the package `webgpu`.
/// <reference types="@webgpu/types" />
import { UnsupportedError } from '../../errors.js';
import { messageOf } from './gpu-messages.js';

/** Flags for Dawn: timestamps to the nanosecond. Dawn would round them to 0.1 ms, about the time of a search. */
const FLAGS = ['disable-dawn-features=timestamp_quantization'];

/** Dawn's entry point. Rejects with `UnsupportedError` where the `webgpu` package is absent or does not load. */
export async function startDawn(): Promise<GPU> {
  const packageName = 'webgpu'; // no literal in import(): the package is optional, types and bundlers would look for it
  let create: (flags: string[]) => GPU;
  try {
    ({ create } = (await import(packageName)) as { create: (flags: string[]) => GPU });
  } catch (error) {
    throw new UnsupportedError(explainMissingPackage(error));
  }
  try {
    return create(FLAGS);
  } catch (error) {
    throw new UnsupportedError(`WebGPU does not start: ${messageOf(error)}`);
  }
}

function explainMissingPackage(error: unknown): string {
  const code = (error as { code?: string }).code;
  const missing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return missing
    ? 'WebGPU is absent: the optional package "webgpu" is not installed (npm install webgpu@^0.6.2)'
    : `WebGPU is absent: the package "webgpu" does not load here (${messageOf(error)})`;
}
