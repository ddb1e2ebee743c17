// Chooses the kernel set by name.
import { OptionError } from '../errors.js';
import { suggestion } from '../nearest-name.js';
import { pageUrl } from '../page-url.js';
import type { KernelMemory } from './kernel-memory.js';
import { KERNEL_SET_NAMES, type KernelChoice, type KernelSetName, type Kernels, type MemoryRoom } from './kernels.js';
import { createReferenceKernels } from './load-reference-kernels.js';
import { compileSimdModule } from './simd-binary.js';
import { createSimdKernels, simdIsAvailable } from './simd-kernels.js';

/** The kernel set asked for by the environment variable MPEGPU_KERNELS, or undefined. */
function kernelSetFromEnvironment(): string | undefined {
  const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  return environment?.['MPEGPU_KERNELS'];
}

/**
 * `name`, the value of the option `kernels`, as a kernel set; where it is undefined, what MPEGPU_KERNELS says, else
 * SIMD. Throws OptionError for a name that is none.
 */
export function kernelSetName(name?: string): KernelSetName {
  const asked = name ?? (kernelSetFromEnvironment() || 'simd');
  const known = KERNEL_SET_NAMES.find(candidate => candidate === asked);
  if (known) return known;
  const option = name === undefined ? 'MPEGPU_KERNELS' : 'kernels';
  throw new OptionError(
    option,
    `${option} '${asked}' does not exist${suggestion(asked, KERNEL_SET_NAMES)}; legal: ${KERNEL_SET_NAMES.join(', ')}`,
  );
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

/** Kernels on `memory`: the chosen set, else the one MPEGPU_KERNELS names, else SIMD. */
export async function createKernels(memory: KernelMemory, choice?: KernelChoice | string): Promise<Kernels> {
  if (kernelSetName(nameOf(choice)) !== 'simd') return createReferenceKernels(memory);
  return createSimdKernels(memory, typeof choice === 'object' ? choice : {});
}

/**
 * The chosen kernels with their compiled module, if they have one: threads need not compile it again. `room`: see
 * {@link ChosenKernels}.
 */
export async function compiledKernels(choice: KernelChoice, room?: MemoryRoom): Promise<KernelChoice> {
  const chosen = { ...(typeof choice === 'object' ? choice : { name: choice }), room };
  if (kernelSetName(chosen.name) !== 'simd' || !simdIsAvailable()) return chosen;
  return { ...chosen, module: await compileSimdModule(chosen.url) };
}

function nameOf(choice: KernelChoice | string | undefined): string | undefined {
  return typeof choice === 'object' ? choice.name : choice;
}
