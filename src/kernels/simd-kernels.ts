// The fast kernel set: WebAssembly with SIMD, built from assembly/.
import { UnsupportedError } from '../errors.js';
import type { KernelMemory } from './kernel-memory.js';
import type { Kernels } from './kernels.js';
import { compileSimdModule } from './simd-binary.js';

/** A module whose one function returns a v128 constant's lane: valid only where WASM SIMD is. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Whether this JavaScript engine runs WebAssembly with 128-bit SIMD. */
export function simdIsAvailable(): boolean {
  return WebAssembly.validate(SIMD_PROBE);
}

/**
 * The WASM SIMD kernels on `memory`: of a module that has been compiled before, or in a browser from the file at `url`.
 * Throws UnsupportedError where the engine has no SIMD, and where the file cannot be loaded.
 */
export async function createSimdKernels(
  memory: KernelMemory,
  { module, url }: { readonly module?: WebAssembly.Module | undefined; readonly url?: string | undefined } = {},
): Promise<Kernels> {
  const exports = await instantiateKernels(memory, async () => module ?? (await compileSimdModule(url)));
  return Object.assign({ name: 'simd' as const }, exports) as unknown as Kernels;
}

/** The functions of a module of kernels, bound to `memory`. Throws UnsupportedError where the engine has no SIMD. */
export async function instantiateKernels(
  memory: KernelMemory,
  compile: () => Promise<WebAssembly.Module>,
): Promise<WebAssembly.Exports> {
  if (!simdIsAvailable()) throw new UnsupportedError('this JavaScript engine has no WebAssembly SIMD');
  const { exports } = await WebAssembly.instantiate(await compile(), {
    env: {
      memory: memory.wasm,
      scratch: memory.scratch,
      abort: () => {
        throw new WebAssembly.RuntimeError('kernel aborted');
      },
    },
  });
  return exports;
}
