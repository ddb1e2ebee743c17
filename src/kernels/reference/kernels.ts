import type { KernelMemory } from '../kernel-memory.js';
import type { Kernels } from '../kernels.js';
import { referencePixelKernels } from './pixels.js';
import { referenceSearchKernels } from './search.js';
import { referenceTransformKernels } from './transforms.js';

/** All kernels in plain TypeScript: the definition that the others equal. */
export function createReferenceKernels(memory: KernelMemory): Kernels {
  return {
    name: 'reference',
    ...referencePixelKernels(memory),
    ...referenceTransformKernels(memory),
    ...referenceSearchKernels(memory),
  };
}
