/**
 * Kernels on 8x8 blocks of coefficients. Every pointer is a byte offset in the {@link KernelMemory}, 16-byte aligned for
 * coefficients, levels and tables.
 *
 * Coefficients lie column by column, so that the horizontal passes of both transforms need no transposition:
 *
 *     index = u * 8 + v      u: horizontal frequency 0..7, v: vertical frequency 0..7
 *
 * Forward coefficients carry three fractional bits: they are 8 times those of ISO/IEC 11172-2 Annex A.
 */
export interface TransformKernels {
  /**
   * Forward DCT of `source - prediction` into 64 int16 coefficients (times 8). A `predictionStride` of 0 repeats one
   * row: with 8 pels of 128 that is the transform of an intra block less its mean of 128.
   */
  forwardDct(
    coefficients: number,
    source: number,
    sourceStride: number,
    prediction: number,
    predictionStride: number,
  ): void;

  /**
   * Quantizes a block and says what that would cost. Writes 64 int16 `levels` in scan order and 64 int16 dequantized
   * `reconstruction` coefficients (times 1, column by column), fills `cost` (see BlockCost) and returns the scan position
   * after the last non-zero level, 0 for an empty block.
   *
   * `quantizer` points to a quantizer record (see QUANTIZER_BYTES), `lengths` to the run/level bit table, `intra` is 1
   * for intra blocks, whose DC has step 8 and is expected less its mean of 128 * 8 (see forwardDct).
   */
  quantizeBlock(
    levels: number,
    reconstruction: number,
    coefficients: number,
    quantizer: number,
    lengths: number,
    intra: 0 | 1,
    cost: number,
  ): number;

  /**
   * Like quantizeBlock, but chooses the levels that make distortion + `lambda` * bits least. Each coefficient may take its
   * quantized level (`quantizer` should round to the nearest), one less, or none; the run/level pairs are found by dynamic
   * programming over scan positions (Ramchandran and Vetterli, "Rate-distortion optimal fast thresholding", 1994). A
   * predecessor that a later one beats in cost is given up, since a longer run never costs less.
   * `lambda` is a whole number, in units of the distortion a bit, 0..65535.
   */
  quantizeBlockByTrellis(
    levels: number,
    reconstruction: number,
    coefficients: number,
    quantizer: number,
    lengths: number,
    intra: 0 | 1,
    cost: number,
    lambda: number,
  ): number;

  /**
   * Turns the run/level pairs of a block in scan order, from position `first` (0 or 1) on, and end_of_block into bits; ISO/IEC 11172-2
   * §2.4.2.8. Writes words of `length << 24 | bits`, as many codes in each as fit into 24 bits; the halves of an escape (escape and
   * run; level) count as codes. `codes` points to the run/level code table. With `first` 0, level 1 at position 0 takes
   * dct_coeff_first. Returns the number of words, at most MAX_CODE_WORDS.
   */
  codeCoefficients(words: number, levels: number, codes: number, first: 0 | 1): number;

  /**
   * Inverse DCT of `reconstruction` (int16, column by column), added to the prediction, clipped to 0..255. The arithmetic is
   * that of the decoder the streams are checked against; see inverse-dct.ts.
   */
  reconstructBlock(
    target: number,
    targetStride: number,
    prediction: number,
    predictionStride: number,
    reconstruction: number,
  ): void;
}

/**
 * A quantizer record: everything about one quantizer_scale and matrix, 64 entries each, column by column.
 *
 *     0     float32 reciprocal   1 / (quantizer_scale * weight)
 *     256   float32 rounding     added before truncation, in levels
 *     512   int16   scale        quantizer_scale * weight
 *     640   int16   maxLevel     largest level whose reconstruction a decoder need not clip
 *     768   int16   deadZone     largest |coefficient| that is quantized to nothing, at most 32767
 *     896
 */
export const QUANTIZER_BYTES = 896;
export const QUANTIZER_ROUNDING_OFFSET = 256;
export const QUANTIZER_SCALE_OFFSET = 512;
export const QUANTIZER_MAX_LEVEL_OFFSET = 640;
export const QUANTIZER_DEAD_ZONE_OFFSET = 768;

/**
 * What quantizeBlock leaves at `cost`: four int32.
 *
 *     0   distortion    squared error of the reconstruction, in forward coefficients: 64 times that in pels
 *     4   energy        the same if every level (but an intra DC) were zero
 *     8   bits          of the run/level pairs, end_of_block included; 0 for an empty non-intra block; no DC
 *     12  magnitude     sum of |reconstruction|
 *     16
 */
export const BLOCK_COST_BYTES = 16;

/** Most words that codeCoefficients writes: 64 escapes of 28 bits, each in two halves, and end_of_block. */
export const MAX_CODE_WORDS = 129;
