// Contract of the kernel that codes a whole macroblock.

/** What codeMacroblock has done. */
export type CodedKind = 0 | 1 | -1;

/** Kernels that do all that a macroblock takes where no modes are coded to compare them. */
export interface MacroblockKernels {
  /**
   * Codes a macroblock of an I or a P picture and reconstructs it: finds its vector (searchCandidates), takes intra
   * instead where the deviation of its pels is smaller than the SAD by more than INTRA_BIAS_SAD, or always with
   * `intra`, and quantizes it: by quantizeMacroblockByTrellis with `usesTrellis`, else by quantizeMacroblock. Without a
   * trellis, blocks of a predicted macroblock with a SAD below EMPTY_BLOCK_SAD * quantizerScale are not coded. Writes
   * its entries of the symbols, the levels of all other blocks among them. With `maySkip` it is skipped where nothing
   * of it is coded. `coding` points to a MACROBLOCK_CODING, whose trial is left undefined. The predicted vector is in
   * half-pels.
   *
   * Returns 1 for an intra macroblock, 0 for another one. Returns -1 where a block has more than SAFE_MAGNITUDE: then
   * the macroblock is not reconstructed, its symbols are undefined, and the caller codes it.
   */
  codeMacroblock(
    coding: number,
    mbX: number,
    mbY: number,
    predictedDxHalfPels: number,
    predictedDyHalfPels: number,
    intra: 0 | 1,
    maySkip: 0 | 1,
  ): CodedKind;
}
