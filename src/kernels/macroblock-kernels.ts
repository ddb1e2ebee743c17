/**
 * Where the planes of a picture lie in kernel memory, as consecutive 32-bit words: pointers to Y, Cb and Cr, then the strides of
 * luma and chroma in bytes.
 */
export const PLANES_RECORD = { y: 0, u: 1, v: 2, lumaStride: 3, chromaStride: 4 } as const;
/** Bytes of such a record. */
export const PLANES_RECORD_BYTES = 20;

/**
 * A way to code a macroblock, as it lies in kernel memory. Blocks are in the order of the stream: four luma, Cb, Cr.
 *
 *     0     prediction          luma 16x16 with stride 16, then Cb and Cr 8x8 with stride 8
 *     384   coefficients        six blocks of 64 int16, column by column
 *     1152  levels              six blocks of 64 int16 in scan order
 *     1920  reconstruction      six blocks of 64 int16 dequantized coefficients, column by column
 *     2688  distortion          double: squared error in forward coefficients, 64 times that in pels
 *     2696  bits                int32: of the coded blocks' run/level pairs, no DC
 *     2700  codedBlockPattern   int32: 32 for the first block, 1 for the last
 *     2704  levelEnd            six bytes: scan position after the last non-zero level of a block
 *     2712  magnitude           six int32: sum of |reconstruction| of a block
 *     2736
 */
export const TRIAL_RECORD = {
  prediction: 0,
  coefficients: 384,
  levels: 1152,
  reconstruction: 1920,
  distortion: 2688,
  bits: 2696,
  codedBlockPattern: 2700,
  levelEnd: 2704,
  magnitude: 2712,
} as const;
/** Bytes of such a record. */
export const TRIAL_RECORD_BYTES = 2736;

/** Offsets of the six blocks within a prediction, and its strides there. */
export const PREDICTION_OFFSETS: readonly number[] = [0, 8, 128, 136, 256, 320];
export const PREDICTION_STRIDES: readonly number[] = [16, 16, 16, 16, 8, 8];

/**
 * Kernels on whole macroblocks: each is what the kernels on blocks do to all six of them, in one call. `planes` points to a
 * PLANES_RECORD, `trial` to a TRIAL_RECORD, (mbX, mbY) is the macroblock's column and row.
 */
export interface MacroblockKernels {
  /**
   * Forms a prediction (laid out as in a trial) from a picture with the vector (x, y) in half-pels; ISO/IEC 11172-2 §2.4.4.2: chroma
   * takes half the vector, truncated toward zero. The vector keeps the macroblock inside the picture.
   */
  predictMacroblock(prediction: number, planes: number, mbX: number, mbY: number, x: number, y: number): void;
  /** The interpolated prediction: `prediction` = (`prediction` + `other` + 1) >> 1; §2.4.4.3. */
  averagePredictions(prediction: number, other: number): void;
  /** Squared error of a prediction against a picture's macroblock, all three components. */
  predictionError(planes: number, mbX: number, mbY: number, prediction: number): number;
  /**
   * Transforms a macroblock of a source picture less the trial's prediction, or with `intra` 1 less a mean of 128, into the trial's
   * coefficients.
   */
  transformMacroblock(trial: number, planes: number, mbX: number, mbY: number, intra: 0 | 1): void;
  /**
   * Quantizes the trial's coefficients: fills everything from its levels on. A block of a predicted macroblock is left out of
   * the pattern where distortion + `lambda` * bits is not less than the energy of its coefficients. See quantizeBlock for
   * `quantizer` and `lengths`.
   */
  quantizeMacroblock(trial: number, quantizer: number, lengths: number, intra: 0 | 1, lambda: number): void;
  /** The same with the levels of quantizeBlockByTrellis, whose whole `lambda` is this one rounded. */
  quantizeMacroblockByTrellis(trial: number, quantizer: number, lengths: number, intra: 0 | 1, lambda: number): void;
  /**
   * Writes the macroblock into a picture as a decoder shows it: blocks of `pattern` (as codedBlockPattern) are reconstructed,
   * the others copied from the prediction, which with `intra` 1 is 0.
   */
  reconstructMacroblock(planes: number, mbX: number, mbY: number, trial: number, pattern: number, intra: 0 | 1): void;
}
