// Contract of the kernels of semi-global matching, one stage of it each.

/** The left picture of a pair, 0, or the right one. */
export type StereoSide = 0 | 1;

/**
 * The stages of semi-global matching after Hirschmüller, "Stereo Processing by Semiglobal Matching and Mutual
 * Information", 2008. `job` points to a STEREO_JOB, which says where everything lies. All numbers are whole.
 */
export interface StereoKernels {
  /**
   * The census and the interval of each pel of one picture. Pels outside repeat the edge. Bit 23 - k of a census is set
   * if the k-th pel of its 5x5 neighbourhood, in raster order without the centre, is brighter than the centre. The
   * interval of a pel reaches over its value and the means, rounded up, of it and its left and right neighbours
   * (Birchfield and Tomasi, "Depth Discontinuities by Pixel-to-Pixel Stereo", 1998).
   */
  describePels(job: number, side: StereoSide): void;
  /**
   * The matching costs of a row. With the census: its bits that differ. With Birchfield and Tomasi's measure: how far
   * each of the two pels is outside the interval of the other, the smaller of both, at most MAX_INTERVAL_COST. With
   * both: the sum. OUTSIDE_COST where the match would be outside the right picture.
   */
  matchingCosts(job: number, row: number): void;
  /**
   * Path costs along four directions, summed up for each pel and disparity. With `backward` 0 the paths come from the
   * left and from the row above, and the sums are stored; with 1 they come from the right and from the row below, and
   * are added to what is there.
   *
   *     1 2 3        . . .
   *     0 p .        . p 0        the neighbours p' from which the paths come
   *     . . .        3 2 1
   *
   * Along a path, L(p, d) = C(p, d) + min(L(p', d), L(p', d - 1) + P1, L(p', d + 1) + P1, least L(p') + P2) -
   * least L(p'); where a path begins, L = C. P2 is that of the difference between the pels p and p'.
   */
  aggregatePaths(job: number, backward: 0 | 1): void;
  /**
   * The disparities of a row. Left: the one of the least sum, among those whose match is in the picture; a parabola
   * through the sums at it and beside it gives sixteenths, unless it is the first or the last one of those. Right: the
   * one of the least sum among the left pels that could match it, times 16. The smallest of equals wins.
   */
  selectDisparities(job: number, row: number): void;
  /** Replaces the disparities of one picture by the median of their 3x3 neighbourhoods; outside, the edge repeats. */
  filterDisparities(job: number, side: StereoSide): void;
  /**
   * Makes left disparities UNKNOWN_DISPARITY in a row, unless the right pel that they lead to, rounded to a whole one,
   * is in the picture and has a disparity at most one pel away.
   */
  checkDisparities(job: number, row: number): void;
  /**
   * Fills what is unknown in the left disparities of a row: with the smaller one, which is the farther thing, of the
   * nearest known disparities to the left and to the right; with the only one; or with 0 where the row knows none.
   */
  fillDisparities(job: number, row: number): void;
}
