// The contract of a kernel set for vision: all of its kernels, bound to one memory.
import type { PatternKernels } from './contracts/pattern-kernels.js';
import type { StereoKernels } from './contracts/stereo-kernels.js';
import type { KernelSetName } from './kernels.js';

/** All kernels for vision of one set. They have a module of their own, which encoders do not load. */
export interface VisionKernels extends PatternKernels, StereoKernels {
  readonly name: KernelSetName;
}
