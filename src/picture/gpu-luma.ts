// The luma of a frame that lies on a GPU already.
import type { GpuBufferType } from '../platform-types.js';

/** Luma on a GPU, for an estimator that searches on the same device: see `gpuEstimatorOn`. */
export interface GpuLuma {
  /**
   * The pels of the frame's `y`, with its last column and row repeated up to whole macroblocks: bytes row by row
   * without gaps, from the buffer's start on. Its usage has COPY_SRC. The encoder never writes it.
   */
  readonly buffer: GpuBufferType;
  /**
   * Called once, when the encode reads the buffer no more. It is not called for the last pictures of an encode: their
   * buffers are free when `finish` has resolved or rejected.
   */
  readonly onRelease?: (() => void) | undefined;
}
