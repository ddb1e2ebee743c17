// Chooses the kernel set by name.
import { OptionError } from '../errors.js';
import { suggestion } from '../nearest-name.js';
import type { KernelMemory } from './kernel-memory.js';
import { KERNEL_SET_NAMES, type KernelSetName, type Kernels } from './kernels.js';
import { compileSimdModule } from './simd-binary.js';
import { createSimdKernels, simdIsAvailable } from './simd-kernels.js';

/** The kernel set asked for by the environment variable MPEGPU_KERNELS, or undefined. */
export function kernelSetFromEnvironment(): string | undefined {
  const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  return environment?.['MPEGPU_KERNELS'];
}

/** `name` as a kernel set; SIMD when undefined. Throws OptionError for a name that is none. */
export function kernelSetName(name: string | undefined = kernelSetFromEnvironment()): KernelSetName {
  if (name === undefined || name === '') return 'simd';
  const known = KERNEL_SET_NAMES.find(candidate => candidate === name);
  if (!known) {
    throw new OptionError(
      'MPEGPU_KERNELS',
      `MPEGPU_KERNELS '${name}' does not exist${suggestion(name, KERNEL_SET_NAMES)}; legal: ${KERNEL_SET_NAMES.join(', ')}`,
    );
  }
  return known;
}

/**
 * Kernels on `memory`: the set called `name`, else the one MPEGPU_KERNELS names, else SIMD, of which `module` is the
 * compiled module if there is one already.
 */
export async function createKernels(
  memory: KernelMemory,
  name?: string,
  module?: WebAssembly.Module,
): Promise<Kernels> {
  if (kernelSetName(name) === 'simd') return createSimdKernels(memory, module);
  // Pages need not load what they do not use.
  const { createReferenceKernels } = await import('./reference-kernels.js');
  return createReferenceKernels(memory);
}

/** The compiled module of the kernels called `name`, which can be sent to threads; undefined where they have none. */
export async function compileKernels(name: string): Promise<WebAssembly.Module | undefined> {
  return kernelSetName(name) === 'simd' && simdIsAvailable() ? compileSimdModule() : undefined;
}
