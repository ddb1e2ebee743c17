// Contract of the kernels that write macroblocks.

/** Kernels of the bitstream's syntax. */
export interface BitstreamKernels {
  /**
   * Writes the blocks of the `count` macroblocks of the row that begins at address `first`, whose levels are in the
   * symbols; ISO/IEC 11172-2 §2.4.2.8. `writing` points to a SLICE_WRITING: the bits go to its `blocks`, those of each
   * macroblock from a whole byte on, and how many they are to its `blockBits`. Returns the number of bytes.
   */
  writeBlocks(writing: number, first: number, count: number): number;
  /**
   * Writes `count` macroblocks of a slice from address `first` on; ISO/IEC 11172-2 §2.4.2.7. `last` is the address of
   * the last macroblock of the slice. `writing` points to a SLICE_WRITING, which says where the slice has come to; its
   * `blocks` are those of these macroblocks, as writeBlocks leaves them. Writes whole bytes to its output, and returns
   * how many; the bits after them stay pending. Adds the bits of the vectors to its `vectorBits`.
   */
  writeMacroblocks(writing: number, first: number, count: number, last: number): number;
}
