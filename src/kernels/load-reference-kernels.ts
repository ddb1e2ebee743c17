// Loads the readable kernels where they are asked for.
import type { KernelMemory } from './kernel-memory.js';
import type { Kernels } from './kernels.js';

/** The readable kernels on `memory`. */
export async function createReferenceKernels(memory: KernelMemory): Promise<Kernels> {
  const kernels = await import('./reference-kernels.js');
  return kernels.createReferenceKernels(memory);
}
