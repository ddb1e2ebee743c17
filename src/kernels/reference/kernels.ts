import type { KernelMemory } from '../kernel-memory.js';
import type { Kernels } from '../kernels.js';
import { referenceMacroblockKernels } from './macroblock.js';
import { referencePixelKernels } from './pixels.js';
import { referenceSearchKernels } from './search.js';
import { referenceTransformKernels } from './transforms.js';
import { referenceVectorKernels } from './vectors.js';

/** All kernels in plain TypeScript: the definition that the others equal. */
export function createReferenceKernels(memory: KernelMemory): Kernels {
  const pixels = referencePixelKernels(memory);
  const transforms = referenceTransformKernels(memory);
  return {
    name: 'reference',
    ...pixels,
    ...transforms,
    ...referenceMacroblockKernels(memory, pixels, transforms),
    ...referenceVectorKernels(memory, pixels),
    ...referenceSearchKernels(memory),
  };
}
