// Contract of the kernels that code whole macroblocks and rows of them.

/** Kernels that do all that macroblocks take. */
export interface MacroblockKernels {
  /**
   * Codes macroblock (`mbX`, `mbY`) and reconstructs it: chooses its vectors, its mode, its levels and its
   * quantizer_scale, as the coding tools and `rules` say, the sum of MAY_SKIP, MUST_BE_INTRA, MAY_CHANGE_SCALE,
   * MUST_BE_SPARSE, KNOWS_NEXT and WAS_CODED. `quantizerScale` is the one wanted; `lambda` is the squared error, in
   * 1/64 of a squared pel, that a bit is worth. `coding` points to a MACROBLOCK_CODING. Its symbols, predictors and
   * bits become those of the macroblock, and its blocks are written (see writeBlocks). Its searches keep the vectors
   * that were found, and get their lambda and `enoughSad`. Its trials are left undefined.
   *
   * With KNOWS_NEXT, the bits that the choice changes in the macroblocks after it in the row count, too. With
   * WAS_CODED, the vectors that this macroblock and those near it in the row had are tried, and predictions in its
   * MACROBLOCK_CHOICES are not coded again to compare them; new ones are added.
   *
   * Where nothing is compared, the mode follows from SADs: intra, where the deviation of the pels is smaller than the
   * SAD by more than INTRA_BIAS_SAD; and without a trellis, blocks of a predicted macroblock with a SAD below
   * EMPTY_BLOCK_SAD * quantizerScale are not coded.
   *
   * Returns 1 for an intra macroblock, 0 for another one.
   */
  codeMacroblock(
    coding: number,
    mbX: number,
    mbY: number,
    quantizerScale: number,
    lambda: number,
    rules: number,
  ): 0 | 1;

  /**
   * Codes the macroblocks of row `mbY` from left to right, as codeMacroblock does. `row` points to a ROW_CODING, from
   * which the scale, the lambda and the rules of each follow. `scale`, 1..31, is the mean scale wanted, and need not be
   * whole. `factorPart`, 0..1, weakens the scale factors: a factor f counts as 1 + factorPart * (f - 1). `rules` is the
   * sum of ROW_STARTS_SLICE, ROW_ENDS_SLICE, ROW_MAY_CHANGE_SCALES and ROW_WAS_CODED. Waits, and blocks the thread, for
   * rows of the anchors that a macroblock needs and that are not final. Where a slice starts, so do the predictors.
   * Adds to the bits of `row`, and counts predictions. The blocks of the row are written in the place of those of the
   * row before.
   */
  codeRow(row: number, mbY: number, scale: number, factorPart: number, rules: number): void;

  /**
   * Chooses how the macroblocks of row `mbY`, which has been coded, are predicted: all together, among the predictions
   * that were coded in full. Their symbols become those of the choice, without new quantizer_scales; no blocks are
   * written. With WAS_CODED and KNOWS_NEXT, codeMacroblock goes on from there. The predictors of `coding` are those
   * before the row's first macroblock. With `startsSlice` 1, those at the start of a slice count instead. Does nothing
   * in I pictures. The trials of `coding` are left undefined.
   */
  chooseRow(coding: number, mbY: number, startsSlice: 0 | 1): void;
}
