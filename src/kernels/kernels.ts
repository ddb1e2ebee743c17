// The contract of a kernel set: all kernels, bound to one memory.
import type { WasmModuleType } from '../platform-types.js';
import type { BitstreamKernels } from './contracts/bitstream-kernels.js';
import type { CandidateKernels } from './contracts/candidate-kernels.js';
import type { DctKernels } from './contracts/dct-kernels.js';
import type { FieldKernels } from './contracts/field-kernels.js';
import type { MacroblockKernels } from './contracts/macroblock-kernels.js';
import type { PictureKernels } from './contracts/picture-kernels.js';
import type { SearchKernels } from './contracts/search-kernels.js';
import type { WeightKernels } from './contracts/weight-kernels.js';
import type { MemoryPart } from './kernel-memory.js';
import type { ReducedPlaces } from './reduced-places.js';

/** The kernel sets there are: the fast one, and its equal, the readable definition. */
export const KERNEL_SET_NAMES = ['simd', 'reference'] as const;

/** Names of the kernel sets. */
export type KernelSetName = (typeof KERNEL_SET_NAMES)[number];

/** Room in a memory for parts of threads. */
export interface MemoryRoom extends MemoryPart {
  /** In the same memory, where they share smaller versions of the pictures that lie there. */
  readonly reduced?: ReducedPlaces | undefined;
}

/** The kernels of an encode: the name of a set, or a set with what is known of it. It can be sent to threads. */
export type KernelChoice = KernelSetName | ChosenKernels;

/** See {@link KernelChoice}. */
export interface ChosenKernels {
  readonly name: KernelSetName;
  /** In browsers, where the set's file is. */
  readonly url?: string | undefined;
  /** Its compiled module. */
  readonly module?: WasmModuleType | undefined;
  /** Where threads take parts of a memory that they share; see `memory-room.ts`. */
  readonly room?: MemoryRoom | undefined;
}

/** All kernels of one set. */
export interface Kernels
  extends PictureKernels,
    DctKernels,
    BitstreamKernels,
    SearchKernels,
    FieldKernels,
    CandidateKernels,
    MacroblockKernels,
    WeightKernels {
  readonly name: KernelSetName;
}
