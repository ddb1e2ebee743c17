// What the two vectors of an interpolated macroblock are refined with, and the pair found.
import { CANDIDATE_SEARCH } from './candidate-search.js';
import { defineRecord, f64, i32, pointerTo, type RecordAt, usize } from './record.js';

/**
 * The search of a pair of vectors, in half-pels.
 *
 *     0                   8        12        16     24                   40    44
 *     | forward, backward | rounds | scratch | cost | the pair of vectors | sad |
 */
export const JOINT_SEARCH = defineRecord('JointSearch', {
  /** Searches that have found their vectors: in the past and in the future anchor. */
  forward: pointerTo(CANDIDATE_SEARCH),
  backward: pointerTo(CANDIDATE_SEARCH),
  /** Rounds of refinement at most. */
  rounds: i32,
  /** Pointer to room for 256 pels. */
  scratch: usize,
  /** sad + lambda * bits of both vectors. */
  cost: f64,
  forwardDxHalfPels: i32,
  forwardDyHalfPels: i32,
  backwardDxHalfPels: i32,
  backwardDyHalfPels: i32,
  sad: i32,
});
export type JointSearch = RecordAt<typeof JOINT_SEARCH.fields>;
