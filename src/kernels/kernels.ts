// The contract of a kernel set: all kernels, bound to one memory.
import type { BitstreamKernels } from './contracts/bitstream-kernels.js';
import type { CandidateKernels } from './contracts/candidate-kernels.js';
import type { DctKernels } from './contracts/dct-kernels.js';
import type { MacroblockKernels } from './contracts/macroblock-kernels.js';
import type { PictureKernels } from './contracts/picture-kernels.js';
import type { SearchKernels } from './contracts/search-kernels.js';

/** The kernel sets there are: the fast one, and its equal, the readable definition. */
export const KERNEL_SET_NAMES = ['simd', 'reference'] as const;

/** Names of the kernel sets. */
export type KernelSetName = (typeof KERNEL_SET_NAMES)[number];

/** What an encode says of its kernels: a set, and in browsers where its file is, if it says so. Plain data. */
export type KernelChoice = KernelSetName | { readonly name: KernelSetName; readonly url: string };

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
