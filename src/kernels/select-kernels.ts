// Chooses the kernel set by name.
import { OptionError } from '../errors.js';
import { suggestion } from '../nearest-name.js';
import { pageUrl } from '../page-url.js';
import type { KernelMemory } from './kernel-memory.js';
import { KERNEL_SET_NAMES, type KernelChoice, type KernelSetName, type Kernels } from './kernels.js';
import { createReferenceKernels } from './load-reference-kernels.js';
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

/** The chosen kernels of options. Throws OptionError for a wrong name or address. */
export function kernelChoice({
  kernels,
  kernelsUrl,
}: {
  readonly kernels?: string | undefined;
  readonly kernelsUrl?: string | URL | undefined;
}): KernelChoice {
  const name = kernelSetName(kernels);
  const url = pageUrl('kernelsUrl', kernelsUrl);
  return url === undefined ? name : { name, url };
}

/**
 * Kernels on `memory`: the chosen set, else the one MPEGPU_KERNELS names, else SIMD, of which `module` is the compiled
 * module if there is one already.
 */
export async function createKernels(
  memory: KernelMemory,
  choice?: KernelChoice | string,
  module?: WebAssembly.Module,
): Promise<Kernels> {
  const { name, url } = choiceOf(choice);
  if (kernelSetName(name) === 'simd') return createSimdKernels(memory, { module, url });
  return createReferenceKernels(memory);
}

/** The compiled module of the chosen kernels, which can be sent to threads; undefined where they have none. */
export async function compileKernels(choice: KernelChoice): Promise<WebAssembly.Module | undefined> {
  const { name, url } = choiceOf(choice);
  return kernelSetName(name) === 'simd' && simdIsAvailable() ? compileSimdModule(url) : undefined;
}

function choiceOf(choice: KernelChoice | string | undefined): {
  readonly name?: string | undefined;
  readonly url?: string;
} {
  return typeof choice === 'object' ? choice : { name: choice };
}
