// What the vector of a macroblock is searched with, or the two of an interpolated one, and what is found.
import { PICTURE_PLANES } from './picture-planes.js';
import { arrayOf, defineRecord, f64, i32, pointerTo, type RecordAt, usize } from './record.js';

/** Most vectors compared for a macroblock; further ones are passed over. */
export const MAX_TRIED_VECTORS = 64;

/** Most vectors of an estimator's field that are compared: the others leave room for half-pel refinement. */
export const MAX_PROPOSALS = 8;

/**
 * The search of a macroblock's vector. Vectors are in half-pels, but those of the field in pels.
 *
 *     0                     72                        104               128                 904
 *     | what stays the same | lambda, the macroblock | the best vector | the vectors tried |
 */
export const CANDIDATE_SEARCH = defineRecord('CandidateSearch', {
  /** The picture being coded and the reconstructed reference. */
  source: pointerTo(PICTURE_PLANES),
  reference: pointerTo(PICTURE_PLANES),
  /** Pointer into a byte table of the bits of a component's difference, at the entry of difference 0. */
  differenceBits: usize,
  /** Legal components of a vector, by f_code. */
  minHalfPels: i32,
  maxHalfPels: i32,
  /** Largest position of a macroblock's first pel in the picture. */
  maxXHalfPels: i32,
  maxYHalfPels: i32,
  /** Rounds of half-pel refinement at most. */
  rounds: i32,
  /** Macroblocks in a row of the picture. */
  mbWidth: i32,
  /** Pointers to a field of proposed vectors: `candidates` int16 per macroblock, 0..MAX_PROPOSALS, in pels. */
  candidates: i32,
  fieldDx: usize,
  fieldDy: usize,
  /** Pointers to the vectors of the picture's macroblocks so far: an int16 per macroblock. */
  chosenDx: usize,
  chosenDy: usize,
  /** 1: the vectors chosen around the macroblock are compared; 0: they are not. */
  usesNeighbours: i32,
  /** 1: the half-pel neighbours that were compared are among the vectors tried; 0: they are not. */
  remembersNeighbours: i32,
  /** 1: every best vector is refined; 0: none that lies between pels. */
  refinesHalfPels: i32,
  /** What a bit costs, in the unit of a sum of absolute differences. */
  lambda: f64,
  /** A vector with a smaller SAD is good enough: see searchCandidates. */
  enoughSad: i32,
  /** The macroblock, and the predicted vector. */
  mbX: i32,
  mbY: i32,
  predictedDxHalfPels: i32,
  predictedDyHalfPels: i32,
  /** sad + lambda * bits of the best vector. */
  cost: f64,
  /** The best vector. */
  dxHalfPels: i32,
  dyHalfPels: i32,
  sad: i32,
  /** SAD of the zero vector. */
  zeroSad: i32,
  /** Number of vectors tried, their costs, and the vectors in half-pels: dx, dy, dx, dy ... */
  triedCount: i32,
  triedCosts: arrayOf('f64', MAX_TRIED_VECTORS),
  tried: arrayOf('i16', 2 * MAX_TRIED_VECTORS),
});
export type CandidateSearch = RecordAt<typeof CANDIDATE_SEARCH.fields>;

/**
 * The search of a pair of vectors, in half-pels.
 *
 *     0                   8                   16        24     32                   48    52
 *     | forward, backward | rounds, movesBoth | scratch | cost | the pair of vectors | sad |
 */
export const JOINT_SEARCH = defineRecord('JointSearch', {
  /** Searches that have found their vectors: in the past and in the future anchor. */
  forward: pointerTo(CANDIDATE_SEARCH),
  backward: pointerTo(CANDIDATE_SEARCH),
  /** Rounds of refinement at most. */
  rounds: i32,
  /** 1: both vectors move to any neighbour; 0: that of the direction that costs more alone, along the axes. */
  movesBoth: i32,
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
