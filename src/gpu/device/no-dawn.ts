// A browser has a WebGPU of its own or none. Takes the place of dawn.ts in what browsers load.
/// <reference types="@webgpu/types" />
import { UnsupportedError } from '../../errors.js';

/** Rejects with `UnsupportedError`: it is asked only where there is no `navigator.gpu`. */
export async function startDawn(): Promise<GPU> {
  throw new UnsupportedError('WebGPU is absent: this browser offers none here (no navigator.gpu)');
}
