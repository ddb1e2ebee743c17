// Contract of the kernel that writes macroblocks.

/** Kernels of the bitstream's syntax. */
export interface BitstreamKernels {
  /**
   * Writes `count` macroblocks of a slice from address `first` on; ISO/IEC 11172-2 §2.4.2.7 and §2.4.2.8. `last` is the
   * address of the last macroblock of the slice. `writing` points to a SLICE_WRITING, which says where the slice has
   * come to. Writes whole bytes to its output, and returns how many; the bits after them stay pending.
   */
  writeMacroblocks(writing: number, first: number, count: number, last: number): number;
}
