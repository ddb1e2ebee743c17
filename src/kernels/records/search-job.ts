// What a block-matching kernel works on: planes, range, penalties, and where the answer goes.
import { defineRecord, i32, type RecordAt, usize } from './record.js';

/** Most vectors that a search keeps per block. */
export const MAX_CANDIDATES = 64;

/**
 * A search job. Planes are tight: their stride is the picture's width. Displacements are in pels of the searched plane.
 *
 *     0              32       40     52        60             72     76             84       88
 *     | size and how | planes | sums | penalty | dx, dy, cost | kept | keptDx, Dy | radius |
 *
 * The order of vectors is the estimator contract's: smaller cost, then smaller |dx| + |dy|, smaller dy, smaller dx.
 * Cost is the metric + ((penaltyX[|dx| << level] + penaltyY[|dy| << level]) >> (2 * level)).
 */
export const SEARCH_JOB = defineRecord('SearchJob', {
  /** Size of both planes in pels, multiples of `blockSize`. */
  width: i32,
  height: i32,
  /** Side of a block: 16, 8, 4 or 2. */
  blockSize: i32,
  /** 0: sum of absolute differences; 1: sum of squared errors. */
  metric: i32,
  /** Largest |dx| and |dy|, 0..4095; a vector that leads out of the reference plane is not tried. */
  rangeX: i32,
  rangeY: i32,
  /** Vectors to find per block, 1..MAX_CANDIDATES. */
  candidates: i32,
  /** Pyramid level of the planes, 0 at full resolution; see the cost above. */
  level: i32,
  /** Pointers to the planes. */
  current: usize,
  reference: usize,
  /** Pointers to the block sums of the reference plane, see `blockSums`; `searchNeighbourhoods` does not read them. */
  sums4: usize,
  sums8: usize,
  sums16: usize,
  /** Pointers to u32 tables by |d| << level, up to range << level. */
  penaltyX: usize,
  penaltyY: usize,
  /** Pointers to the answer, `candidates` entries per block in raster order: i16, i16, u32. */
  dx: usize,
  dy: usize,
  cost: usize,
  /**
   * For `searchNeighbourhoods` and `searchPredictively`: start vectors per block, 0..MAX_CANDIDATES, pointers to them
   * (i16).
   */
  kept: i32,
  keptDx: usize,
  keptDy: usize,
  /** For the same two: the radius or the first step in pels. */
  radius: i32,
});
export type SearchJob = RecordAt<typeof SEARCH_JOB.fields>;
