/** Most vectors compared for a macroblock; further ones are passed over. */
export const MAX_TRIED = 64;

/**
 * What the vector of a macroblock is looked for with, and the answer, as bytes in kernel memory. Words are int32, vectors are in
 * half-pels.
 *
 *     0     source, reference     pointers to PLANES_RECORDs
 *     8     differenceBits        pointer into a byte table of a component difference's bits, at the entry of difference 0
 *     12    least, greatest       legal components
 *     20    right, bottom         largest place of a macroblock's first pel in the picture, in half-pels
 *     28    rounds                of half-pel refinement
 *     32    mbWidth
 *     36    candidates            vectors per macroblock of an estimator's field, 0..8
 *     40    fieldX, fieldY        pointers to them: int16, in pels
 *     48    chosenX, chosenY      pointers to the vectors of the picture's macroblocks so far: int16
 *     56    lambda                double: what a bit costs, in the unit of a sum of absolute differences
 *     64    cost                  double: sad + lambda * bits of the best vector
 *     72    x, y, sad             the best vector
 *     84    zeroSad               SAD of the zero vector
 *     88    triedCount
 *     92    predictedX, predictedY, mbX, mbY   the question
 *     108   neighbours            1: vectors chosen around the macroblock are compared; 0: they are not
 *     112   triedCost             MAX_TRIED doubles
 *     624   tried                 MAX_TRIED pairs of int16: x, y
 *     880
 */
export const VECTOR_SEARCH = {
  source: 0,
  reference: 4,
  differenceBits: 8,
  least: 12,
  greatest: 16,
  right: 20,
  bottom: 24,
  rounds: 28,
  mbWidth: 32,
  candidates: 36,
  fieldX: 40,
  fieldY: 44,
  chosenX: 48,
  chosenY: 52,
  lambda: 56,
  cost: 64,
  x: 72,
  y: 76,
  sad: 80,
  zeroSad: 84,
  triedCount: 88,
  predictedX: 92,
  predictedY: 96,
  mbX: 100,
  mbY: 104,
  neighbours: 108,
  triedCost: 112,
  tried: 624,
} as const;
/** Bytes of a vector search. */
export const VECTOR_SEARCH_BYTES = 880;

/**
 * What the two vectors of an interpolated macroblock are refined with, and the answer; as above.
 *
 *     0     forward, backward     pointers to VECTOR_SEARCHes that have found their vectors, from the past and the future anchor
 *     8     rounds
 *     12    scratch               pointer to room for 256 pels
 *     16    cost                  double
 *     24    forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels, sad
 *     44
 */
export const JOINT_SEARCH = {
  forward: 0,
  backward: 4,
  rounds: 8,
  scratch: 12,
  cost: 16,
  forwardDxHalfPels: 24,
  forwardDyHalfPels: 28,
  backwardDxHalfPels: 32,
  backwardDyHalfPels: 36,
  sad: 40,
} as const;
/** Bytes of a joint search. */
export const JOINT_SEARCH_BYTES = 44;

/** Kernels that find the vectors of macroblocks on *reconstructed* references, the bits of their code in the cost. */
export interface VectorKernels {
  /**
   * Compares what may be a macroblock's vector by SAD + lambda * bits: in this order zero, the predicted one, the field's, those of the
   * macroblocks to the left, above and above to the right (where `neighbours` says so); then the eight half-pel neighbours of the best, in the order of
   * `sadHalfPelNeighbours16x16`, and of where that leads, `rounds` times at most. What would leave the picture or f_code's range, or
   * has been compared, is passed over. Among equals the first stays.
   */
  findVector(search: number, mbX: number, mbY: number, predictedX: number, predictedY: number): void;
  /**
   * Refines the pair of vectors of an interpolated prediction: from the best vector of either direction, each in turn, the
   * backward one first, moves to the best of its half-pel neighbours while the other stays; `rounds` times at most.
   */
  refineJointly(joint: number): void;
}
