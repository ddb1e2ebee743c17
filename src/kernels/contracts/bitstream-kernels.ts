// Contract of the kernels that write macroblocks.

/** Kernels of the bitstream's syntax. */
export interface BitstreamKernels {
  /**
   * Writes the blocks of the macroblock at `address`, which may have none; ISO/IEC 11172-2 §2.4.2.8. `trial` points to
   * a MACROBLOCK_TRIAL with its flags, its pattern and its levels. `coding` points to a MACROBLOCK_CODING, whose
   * predictors are those of this macroblock. The bits go to the `blocksEnd` of its SLICE_WRITING, which moves on to the
   * next whole byte, and how many they are to its `blockBits`.
   */
  writeBlocks(coding: number, trial: number, address: number): void;
  /**
   * Writes `count` macroblocks of a slice from address `first` on; ISO/IEC 11172-2 §2.4.2.7. `last` is the address of
   * the last macroblock of the slice. `writing` points to a SLICE_WRITING, which says where the slice has come to; its
   * `blocks` are those of these macroblocks, as codeRow leaves them. Writes whole bytes to its output, and returns
   * how many; the bits after them stay pending. Adds the bits of the vectors to its `vectorBits`.
   */
  writeMacroblocks(writing: number, first: number, count: number, last: number): number;
}
