import type { MacroblockKernels } from './macroblock-kernels.js';
import type { PixelKernels } from './pixel-kernels.js';
import type { SearchKernels } from './search-kernels.js';
import type { TransformKernels } from './transform-kernels.js';
import type { VectorKernels } from './vector-kernels.js';

/** Names of the kernel sets: the readable definition and the fast equal. */
export type KernelSetName = 'reference' | 'simd';

/** All kernels of one set, bound to one memory. */
export interface Kernels extends PixelKernels, TransformKernels, MacroblockKernels, VectorKernels, SearchKernels {
  readonly name: KernelSetName;
}
