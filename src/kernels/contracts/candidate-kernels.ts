// Contract of the kernels that find a macroblock's vectors on reconstructed pictures.

/** Motion search of macroblocks on *reconstructed* references, the bits of the vector's code in the cost. */
export interface CandidateKernels {
  /**
   * Compares candidate vectors by SAD + lambda * bits, in this order: zero, the predicted one, the field's, those of
   * the macroblocks to the left, above and above right (if `usesNeighbours`). Then refines the best: compares its
   * eight half-pel neighbours, and goes on from the best of those, `rounds` times at most. Vectors that leave the
   * picture or the range of f_code, or that were compared already, are passed over. Of equal vectors, the first stays.
   * Without `remembersNeighbours` the half-pel neighbours are not kept among the vectors tried. Without
   * `refinesHalfPels` a best vector that lies between pels is not refined. Once the best has a SAD below `enoughSad`,
   * no other is compared before it is refined, and it is not refined.
   * `search` points to a CANDIDATE_SEARCH.
   *
   *     4 0 5
   *     1 . 2      the order of the half-pel neighbours
   *     6 3 7
   */
  searchCandidates(
    search: number,
    mbX: number,
    mbY: number,
    predictedDxHalfPels: number,
    predictedDyHalfPels: number,
  ): void;
  /**
   * Refines the two vectors of an interpolated prediction by the SAD of the mean of both. From the best vector of
   * each direction, one after the other moves to the best of its half-pel neighbours while the other stays, the
   * backward one first; `rounds` times at most. Without `movesBoth` only one vector moves, to one of its first four
   * neighbours: that of the direction that costs more alone, or the forward one if both cost the same. `pair` points to
   * a JOINT_SEARCH.
   */
  refineJointly(pair: number): void;
}
