// Contract of the kernels on pels: prediction of macroblocks, differences, and pictures at half resolution.

/**
 * Kernels on pels. Every pointer is a byte offset in the {@link KernelMemory} that the kernels were made for; a
 * stride is the distance of two rows in bytes. Blocks may start at any offset. Nothing outside the stated block is
 * written.
 */
export interface PictureKernels {
  /**
   * Forms the prediction of a macroblock (laid out as in a MACROBLOCK_TRIAL) from the picture of a PICTURE_PLANES
   * with a vector in half-pels; ISO/IEC 11172-2 §2.4.4.2: chroma takes half the vector, truncated toward zero. (mbX,
   * mbY) is the macroblock's column and row. The vector keeps the macroblock inside the picture.
   */
  predictMacroblock(
    prediction: number,
    planes: number,
    mbX: number,
    mbY: number,
    dxHalfPels: number,
    dyHalfPels: number,
  ): void;
  /** The interpolated prediction: `prediction` = (`prediction` + `other` + 1) >> 1; ISO/IEC 11172-2 §2.4.4.3. */
  averagePredictions(prediction: number, other: number): void;
  /** Sum of squared errors of a prediction against a picture's macroblock, all three components. */
  predictionError(planes: number, mbX: number, mbY: number, prediction: number): number;
  /** Sum of |pel - mean| of a 16x16 block, its mean rounded: what is left to code of it without a prediction. */
  deviation16x16(pels: number, stride: number): number;
  /** Sum of squared differences of `length` consecutive pels, as a double: a plane of any size fits. */
  sumSquaredDifferences(a: number, b: number, length: number): number;
  /**
   * Half the resolution: the mean of every 2x2 pels, halves rounded up. `width` and `height` are the source's,
   * multiples of 16 and 2; its rows are tight, those of the target `targetStride` apart.
   */
  halveByMeans(target: number, targetStride: number, source: number, width: number, height: number): void;
  /**
   * The planes between the pels. At `planes` lies a tight plane whose width is a multiple of 16; behind it three of
   * its size are written: half a pel to the right, half a pel down, and both. Means of two, rounded up; the last
   * plane holds means of two of the second. Undefined beyond the last column and row.
   */
  halfPelPlanes(planes: number, width: number, height: number): void;
  /**
   * Sum of |pel - mean| of each 8x8 block of a tight plane, its mean rounded, in raster order as u16 at `deviations`.
   * Returns the sum of all pels. Width and height are multiples of 8.
   */
  deviations8x8(deviations: number, plane: number, width: number, height: number): number;
  /** SAD of an 8x8 block against the mean of two others, halves rounded up; all three have the same stride. */
  sadOfMean8x8(block: number, past: number, future: number, stride: number): number;
}
