// Contract of the kernels between pels and levels: transform, quantization, reconstruction.

/**
 * Kernels on the six blocks of a macroblock. `planes` points to a PICTURE_PLANES, `trial` to a MACROBLOCK_TRIAL,
 * `quantizer` to a QUANTIZER; (mbX, mbY) is the macroblock's column and row; `intra` is 1 for an intra macroblock,
 * else 0.
 *
 * Coefficients lie column by column, so that the first pass of the inverse transform needs no transposition:
 *
 *     index = u * 8 + v      u: horizontal frequency 0..7, v: vertical frequency 0..7
 *
 * Forward coefficients carry three fractional bits: they are 8 times those of ISO/IEC 11172-2 Annex A.
 */
export interface DctKernels {
  /**
   * Transforms a macroblock of a source picture less the trial's prediction, or with `intra` less a mean of 128, into
   * the trial's coefficients.
   */
  transformMacroblock(trial: number, planes: number, mbX: number, mbY: number, intra: 0 | 1): void;

  /**
   * Quantizes the trial's coefficients: fills everything from its levels on. A block of a predicted macroblock is
   * left out of the pattern where distortion + `lambda` * bits is not less than the energy of its coefficients.
   * `lengths` points to the run/level bit table (`runLevelLengths`). The DC of an intra block has step 8.
   */
  quantizeMacroblock(trial: number, quantizer: number, lengths: number, intra: 0 | 1, lambda: number): void;

  /**
   * Like quantizeMacroblock, but chooses the levels that minimize distortion + lambda * bits, with `lambda` rounded
   * to a whole number, 0..65535. Each coefficient may take its quantized level (`quantizer` should round to the
   * nearest), one less, or none; the run/level pairs are found by dynamic programming over scan positions
   * (Ramchandran and Vetterli, "Rate-distortion optimal fast thresholding", 1994). A longer run never costs less, so
   * a predecessor that a later one beats in cost is given up.
   */
  quantizeMacroblockByTrellis(trial: number, quantizer: number, lengths: number, intra: 0 | 1, lambda: number): void;

  /**
   * Writes the macroblock into a picture as a decoder shows it. Blocks of `pattern` (as codedBlockPattern) are the
   * prediction plus the inverse DCT of their reconstruction, clipped to 0..255; the others are the prediction, which
   * with `intra` is 0. The arithmetic is that of the decoder that the streams are checked against; see
   * inverse-dct.ts.
   */
  reconstructMacroblock(planes: number, mbX: number, mbY: number, trial: number, pattern: number, intra: 0 | 1): void;
}
