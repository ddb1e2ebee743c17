// Contract of the kernels on pels: prediction of macroblocks, differences, and costs of macroblocks.

/** The ranges and the weights of references of a TEMPORAL_FILTER. */
export interface FilterNumbers {
  readonly pelLimit: number;
  readonly pelFactor: number;
  readonly pelSquare: number;
  readonly maxSquares: number;
  readonly strengths: readonly number[];
}

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
   * What each macroblock of a tight plane costs without a prediction: the sum of |pel - mean of its 8x8 block| over its
   * four blocks, the means rounded; in raster order as u16 at `deviations`. Returns the sum of all pels. Width and
   * height are multiples of 16.
   */
  macroblockDeviations(deviations: number, plane: number, width: number, height: number): number;
  /**
   * SAD of each macroblock of the plane `current` against the mean of its matches in two others, halves rounded up; in
   * raster order as u16 at `sads`. At `vectors` lie four components for all macroblocks, one after the other, in pels
   * (i16): dx and dy into `past`, dx and dy into `future`. The planes are tight and have `columns` * `rows`
   * macroblocks; the matches lie inside them.
   */
  interpolatedSads(
    sads: number,
    vectors: number,
    current: number,
    past: number,
    future: number,
    columns: number,
    rows: number,
  ): void;
  /**
   * Adds up what macroblocks cost by the SADs of their predictions (u16) and their costs as intra (u16), from the
   * macroblock `first` on. At `sums` lie f64: the sum, a product, and the parameters a, b, c, d, e. The smaller of the
   * two costs is x, r = (a * x)^2, p = r + b - c * min(d, r * e). The sum grows by min(p, 1), and the product is
   * multiplied by max(p, 1). Ends early where the product is greater than {@link MAX_COST_PRODUCT}. Returns the
   * macroblock after the last one.
   */
  sumCodingCosts(sums: number, sads: number, intra: number, first: number, macroblocks: number): number;
  /** The sum of max(value, least) over `count` values (u16). */
  sumAtLeast(values: number, least: number, count: number): number;
  /** The sum of min(value, max(other, least)) over `count` pairs of a value and another (u16). */
  sumLesser(values: number, others: number, least: number, count: number): number;
  /** Replaces each of `count` values by min(value, other) (u16). */
  takeLesser(values: number, others: number, count: number): void;
  /**
   * Gives a tight plane of `width` * `height` pels, in place, a stride of `paddedWidth`, which is greater. Behind each
   * row its last pel is repeated.
   */
  spreadRows(plane: number, width: number, height: number, paddedWidth: number): void;
  /**
   * Converts an image of RGB to the tight planes of a 4:2:0 frame, as `rgbToFrame` does. Its first pel lies at `pels`,
   * with its red at `redAt`, 0 or 2; see `PelLayout`. Up to 16 bytes beyond a row are read.
   */
  convertRgb(
    y: number,
    u: number,
    v: number,
    pels: number,
    rowBytes: number,
    pelBytes: number,
    redAt: number,
    width: number,
    height: number,
  ): void;
  /**
   * Filters row `mbY` of macroblocks of a plane along its motion; `filter` points to a TEMPORAL_FILTER. For each
   * macroblock:
   *
   * 1. Its match in each reference: where its own vector leads, or its own place where that is outside the plane. A
   *    vector of the macroblock to its left or right, above or below takes its place if the SAD is smaller.
   * 2. Each position is refined by up to half a pel, in quarter-pels: to the lowest point of a parabola through the
   *    sums of squared differences at the match and beside it, if the sum s is smaller there.
   * 3. The reference's block counts strength * (1 - s / maxSquares)^2, and nothing unless s < maxSquares.
   * 4. A pel o becomes o + sum(w * d) / (256 + sum(w)), rounded. d is the difference of the reference's pel and o. With
   *    the nearness n = (pelSquare - pelFactor * d^2) / 128, w is n^2 / 2^16 times what the block counts, or 0 where
   *    |d| is not less than pelLimit.
   *
   * All are whole numbers, as in the definition.
   */
  filterLumaRow(filter: number, mbY: number): void;
}

/** The logarithm of a product of costs is taken before the product leaves this: one factor more keeps it finite. */
export const MAX_COST_PRODUCT = 1e280;
