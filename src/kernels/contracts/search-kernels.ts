// Contract of the block-matching kernels: what estimators and the lookahead search with.

/**
 * Block-matching kernels. `job` points to a SEARCH_JOB. Each search answers one row of blocks; where fewer than
 * `candidates` vectors are legal, the last one found fills the rest. Nothing but the answer is written.
 */
export interface SearchKernels {
  /**
   * Sums of every 4x4, 8x8 and 16x16 block of a plane (u16), each at the position of its block's first pel, with the
   * plane's own stride. Width and height are multiples of 4; a size larger than the plane is left out. Entries whose
   * block would leave the plane are undefined.
   */
  blockSums(sums4: number, sums8: number, sums16: number, plane: number, width: number, height: number): void;
  /**
   * Half the resolution: `target` is `width / 2 * height / 2`. Separable low-pass (1, 3, 3, 1) / 8 at the 2x2
   * centres, one rounding for both axes; pels outside the plane repeat its edge. Even sizes only.
   */
  halvePlane(target: number, source: number, width: number, height: number): void;
  /** Tries every vector in full, without any early exit: a benchmark of SADs a second. */
  searchExhaustively(job: number, blockRow: number): void;
  /** Gives the same answer with fewer comparisons: a lower bound of the cost rules vectors out. */
  searchByElimination(job: number, blockRow: number): void;
  /** Tries the vectors within `radius` of twice each kept vector: the next finer level of a pyramid. */
  searchNeighbourhoods(job: number, blockRow: number): void;
  /**
   * The two-dimensional logarithmic search. It starts at the zero vector with a step of 2^(ceil(log2(range)) - 1),
   * where range is the larger of rangeX and rangeY. While the step is above 1, the four vectors a step away along the
   * axes are tried; the best of the five becomes the centre, and where the centre stays the step is halved. At step 1
   * all eight neighbours are tried once. Keeps the best of all that were tried.
   *
   *     step 4    . . o . .     step 1    o o o
   *               o . c . o               o c o
   *               . . o . .               o o o
   */
  searchLogarithmically(job: number, blockRow: number): void;
  /**
   * The logarithmic search from the best of these vectors: zero, the answers of the blocks to the left, above and
   * above right, and the kept ones, as far as they are legal. The first step is `radius`, a power of two. Rows must
   * be searched from the top down.
   */
  searchPredictively(job: number, blockRow: number): void;
}
