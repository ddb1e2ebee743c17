// Chooses the kernel set for vision by name.
import type { KernelMemory } from './kernel-memory.js';
import { kernelSetName } from './select-kernels.js';
import { instantiateKernels } from './simd-kernels.js';
import type { VisionKernels } from './vision-kernels.js';

/**
 * Kernels for vision on `memory`: the set called `name`, else the one MPEGPU_KERNELS names, else SIMD. Throws
 * OptionError for a name that is none, UnsupportedError where the engine has no SIMD.
 */
export async function createVisionKernels(memory: KernelMemory, name?: string): Promise<VisionKernels> {
  if (kernelSetName(name) === 'reference') {
    const { createReferenceVisionKernels } = await import('./reference-vision-kernels.js');
    return createReferenceVisionKernels(memory);
  }
  const { compileSimdModule } = await import('./vision-binary.js');
  const kernels = (await instantiateKernels(memory, compileSimdModule)) as unknown as Omit<VisionKernels, 'name'>;
  return { name: 'simd', ...kernels };
}
