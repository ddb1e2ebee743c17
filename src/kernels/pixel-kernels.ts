/**
 * Kernels on pels. Every pointer is a byte offset in the {@link KernelMemory} that the kernels were made for; a stride is
 * the distance of two rows in bytes. Blocks may start at any offset. Nothing outside the stated block is written.
 */
export interface PixelKernels {
  /** Sum of absolute differences of two 16x16 blocks, 0..65,280. */
  sad16x16(a: number, aStride: number, b: number, bStride: number): number;
  /** Sum of absolute differences of two 8x8 blocks, 0..16,320. */
  sad8x8(a: number, aStride: number, b: number, bStride: number): number;
  /** Sum of squared differences of two 16x16 blocks, 0..16,646,400. */
  sse16x16(a: number, aStride: number, b: number, bStride: number): number;
  /** Sum of squared differences of two 8x8 blocks, 0..4,161,600. */
  sse8x8(a: number, aStride: number, b: number, bStride: number): number;
  /**
   * Half-pel prediction of a square block, `size` 8 or 16: the pels at (x + halfX / 2, y + halfY / 2) with halfX, halfY
   * 0 or 1; reads one column and row more where they are 1. Rounds halves up; ISO/IEC 11172-2 §2.4.4.2.
   */
  interpolate(
    target: number,
    targetStride: number,
    source: number,
    sourceStride: number,
    size: 8 | 16,
    halfX: number,
    halfY: number,
  ): void;
  /** `target` = (`a` + `b` + 1) >> 1 over a square block: interpolated prediction; ISO/IEC 11172-2 §2.4.4.3. */
  average(
    target: number,
    targetStride: number,
    a: number,
    aStride: number,
    b: number,
    bStride: number,
    size: 8 | 16,
  ): void;
  /** Copies a square block. */
  copyBlock(target: number, targetStride: number, source: number, sourceStride: number, size: 8 | 16): void;
  /**
   * SAD of a 16x16 block against the half-pel prediction at `reference` (see `interpolate`), without storing it.
   */
  sadHalfPel16x16(
    a: number,
    aStride: number,
    reference: number,
    referenceStride: number,
    halfX: number,
    halfY: number,
  ): number;
  /**
   * SADs of a 16x16 block against the predictions at the eight half-pel neighbours of the full-pel position `reference`,
   * written to `sads` as eight int32 in this order:
   *
   *     4 0 5
   *     1 . 2      (left to right, top to bottom, half a pel apart)
   *     6 3 7
   *
   * Reads the 18x18 pels around the block; the caller passes over neighbours that leave the picture.
   */
  sadHalfPelNeighbours16x16(a: number, aStride: number, reference: number, referenceStride: number, sads: number): void;
  /**
   * SAD of a 16x16 block against the interpolated prediction: the mean (see `average`) of `other`, 16x16 pels with stride
   * 16, and the half-pel prediction at `reference`.
   */
  sadAverage16x16(
    a: number,
    aStride: number,
    other: number,
    reference: number,
    referenceStride: number,
    halfX: number,
    halfY: number,
  ): number;
  /** Sum of |pel - mean| of a 16x16 block, its mean rounded: what is left to code of it without a prediction. */
  deviation16x16(a: number, aStride: number): number;
  /** SAD of an 8x8 block against the mean (see `average`) of two others; all three have the same stride. */
  sadOfMean8x8(a: number, b: number, c: number, stride: number): number;
  /**
   * Between the pels of a plane whose width is a multiple of 16: after the plane itself lie three of its size, half a pel to the right, below, and
   * both; means of two, rounded up, the last means of two of the second. Undefined beyond the last column and row.
   */
  halfPelPlanes(planes: number, width: number, height: number): void;
  /**
   * Half the resolution: the mean of every 2x2 pels, halves rounded up. `width` and `height` are the source's, multiples of 16 and
   * 2; its rows are tight, those of the target `targetStride` apart.
   */
  halveByMeans(target: number, targetStride: number, source: number, width: number, height: number): void;
  /**
   * Sum of |pel - mean| of each 8x8 block of a tight plane, its mean rounded, in raster order as u16 at `deviations`. Returns
   * the sum of all pels. Width and height are multiples of 8.
   */
  deviations8x8(deviations: number, plane: number, width: number, height: number): number;
  /** Sum of squared differences over `length` consecutive pels, as a double: a plane of any size fits. */
  sumSquaredDifferences(a: number, b: number, length: number): number;
}
