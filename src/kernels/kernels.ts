// The contract of a kernel set: all kernels, bound to one memory.
import type { BitstreamKernels } from './contracts/bitstream-kernels.js';
import type { CandidateKernels } from './contracts/candidate-kernels.js';
import type { DctKernels } from './contracts/dct-kernels.js';
import type { MacroblockKernels } from './contracts/macroblock-kernels.js';
import type { PictureKernels } from './contracts/picture-kernels.js';
import type { SearchKernels } from './contracts/search-kernels.js';

/** Names of the kernel sets: the readable definition and its fast equal. */
export type KernelSetName = 'reference' | 'simd';

/** All kernels of one set. */
export interface Kernels
  extends PictureKernels,
    DctKernels,
    BitstreamKernels,
    SearchKernels,
    CandidateKernels,
    MacroblockKernels {
  readonly name: KernelSetName;
}
