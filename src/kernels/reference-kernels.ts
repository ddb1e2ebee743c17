import { referenceTransformKernels } from '../dct/transform-kernels.js';
import { referenceVectorKernels } from '../motion/search/macroblock-vectors.js';
import { referenceSearchKernels } from '../motion/search/search.js';
import { referenceMacroblockKernels } from '../picture/macroblock-kernels.js';
import { referencePixelKernels } from '../picture/pixel-kernels.js';
import type { KernelMemory } from './kernel-memory.js';
import type { Kernels } from './kernels.js';

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
