// What a stereo kernel works on: two planes, their features, costs, sums of paths, and where the disparities go.
import { defineRecord, i32, type RecordAt, usize } from './record.js';

/** A range has whole vectors of this many disparities. */
export const RANGE_STEP = 16;
/** The largest range: a disparity of 0..255 fits a byte. */
export const MAX_STEREO_RANGE = 256;
/** Paths that come from the rows before: one straight, two diagonal. */
export const PATHS_FROM_ROW_BEFORE = 3;
/** Buffers of path costs that a STEREO_JOB points to: those of a row and of the row before it. */
export const PATH_ROWS = 2;
/** The cost of a match that would lie outside the right picture: that of a doubtful match. */
export const OUTSIDE_COST = 15;
/** Disparities of one thing in both pictures differ by at most so much, in sixteenths of a pel. */
export const DISPARITY_TOLERANCE = 16;
/** A disparity that is not known, among those in sixteenths of a pel. */
export const UNKNOWN_DISPARITY = -1;

/** The parts of the matching costs, as bits of `costs`: the census, Birchfield and Tomasi's measure. */
export const CENSUS_COST = 1;
export const INTERVAL_COST = 2;
/** The largest cost of Birchfield and Tomasi's measure; a larger difference says no more. */
export const MAX_INTERVAL_COST = 30;
/**
 * The largest penalty, so that the cost of a path fits a byte: at most 24 bits of a census, MAX_INTERVAL_COST and P2.
 */
export const MAX_PATH_PENALTY = 200;

/**
 * A stereo job. All planes are tight: their stride is `width` entries. A pel at (x, y) of the left picture with
 * disparity d is at (x - d, y) in the right one; d is 0..range - 1. Disparities of the answer are in sixteenths of a
 * pel.
 *
 *     0             16          24     32         56             64          76            84     88
 *     | size, costs | penalties | pels | features | costs, sums  | path costs | disparities | work |
 */
export const STEREO_JOB = defineRecord('StereoJob', {
  /** Size of both pictures in pels; `width` is at least `range`. */
  width: i32,
  height: i32,
  /** Number of disparities, a multiple of RANGE_STEP up to MAX_STEREO_RANGE. */
  range: i32,
  /** Sum of CENSUS_COST and INTERVAL_COST, or one of them. */
  costs: i32,
  /** P1, the penalty for a step of one disparity from a pel to the next along a path. */
  p1: i32,
  /** Pointer to P2, the penalty for a larger step, by the difference of the two pels: 256 bytes, none below `p1`. */
  p2: usize,
  /** Pointers to the pels. */
  left: usize,
  right: usize,
  /** Pointers to the census of each pel (u32). */
  leftCensus: usize,
  rightCensus: usize,
  /** Pointers to the bounds of each pel's interval: the smallest value, the largest one (u8). */
  leftLow: usize,
  leftHigh: usize,
  rightLow: usize,
  rightHigh: usize,
  /** Pointer to the costs (u8): `range` for each pel. */
  matchingCosts: usize,
  /** Pointer to the sums over the paths (u16), in the same order. */
  pathSums: usize,
  /**
   * Pointers to PATH_ROWS buffers, each PATHS_FROM_ROW_BEFORE * width * range path costs (u8), path by path and pel by
   * pel; to the least path cost of each of these pels (u8), as many buffers; and to 2 * range costs of the path along
   * the row.
   */
  pathRows: usize,
  pathLeasts: usize,
  rowPath: usize,
  /** Pointers to the disparities (i16) of the left and of the right picture. */
  leftDisparities: usize,
  rightDisparities: usize,
  /** Pointer to `stereoWorkBytes` for rows that a kernel has to copy. */
  work: usize,
});
/** Bytes at `work` for pictures of this width. */
export function stereoWorkBytes(width: number): number {
  return 8 * (width + MAX_STEREO_RANGE);
}

export type StereoJob = RecordAt<typeof STEREO_JOB.fields>;
