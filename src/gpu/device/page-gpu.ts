// The GPU of a page or a worker of it. Takes the place of machine-gpu.ts in what browsers load.
/// <reference types="@webgpu/types" />
import { UnsupportedError } from '../../errors.js';
import { findAdapter } from './adapter-choice.js';
import type { EarlyAnswer } from './early-answer.js';
import type { FoundAdapter, KeptEntryPoints } from './machine-gpu.js';

/** The browser's WebGPU entry point. Rejects with `UnsupportedError` where it has none, with the reason. */
export async function findGpu(): Promise<GPU> {
  const { navigator, isSecureContext } = globalThis as { navigator?: { gpu?: GPU }; isSecureContext?: boolean };
  if (navigator?.gpu) return navigator.gpu;
  const reason = isSecureContext === false ? ': it is offered to pages from https and localhost only' : '';
  throw new UnsupportedError(`this browser offers no WebGPU here${reason}`);
}

/** The fastest adapter; a software adapter only with `allowSoftware`. Rejects with `UnsupportedError`. */
export async function openAdapter(
  given: GPU | undefined,
  allowSoftware: boolean,
  _early?: EarlyAnswer,
  _kept?: KeptEntryPoints,
): Promise<FoundAdapter> {
  const gpu = given ?? (await findGpu());
  return { gpu, adapter: await findAdapter(gpu, allowSoftware, explainMissingAdapter) };
}

/** Why a browser that has WebGPU offers no GPU. */
export function explainMissingAdapter(): string {
  return 'the browser has WebGPU and offers no GPU; its settings or an old driver may be why (chrome://gpu says more)';
}
