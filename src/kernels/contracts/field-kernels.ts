// Contract of the kernels on motion fields: their best vectors, and how far vectors reach.

/**
 * Kernels on vectors that lie as arrays of components (i16), macroblock after macroblock. A field has `candidates`
 * vectors a macroblock, the best one first, and their costs (u32).
 */
export interface FieldKernels {
  /**
   * The best vector of each macroblock of a field, and its SAD. At `best` come dx, dy (i16) and SAD (u16) of all
   * macroblocks, one array after the other. At `penalties` lie by |component| the parts of a cost that are not SAD
   * (u32); a cost below those of its vector counts as SAD 0.
   */
  bestOfField(
    best: number,
    dx: number,
    dy: number,
    costs: number,
    candidates: number,
    penalties: number,
    macroblocks: number,
  ): void;
  /**
   * Counts the macroblocks of a field in full pels by the bits of the extent (see `vectorExtent`) of their best vectors
   * and these vectors' half-pel neighbours, in half-pels: `counts` has a u32 for each of 0 to {@link MAX_EXTENT_BITS},
   * to which they are added.
   */
  countExtents(counts: number, dx: number, dy: number, candidates: number, macroblocks: number): void;
  /**
   * The greatest of v and -1 - v over the components v of those macroblocks whose flags (u8) have one in common with
   * `flags`, a vector each; 0 where there is none. All components lie in -1 - n..n, where n is the answer.
   */
  vectorExtent(flagsAt: number, flags: number, dx: number, dy: number, macroblocks: number): number;
}

/** Bits of the longest component that an i16 holds, in half-pels. */
export const MAX_EXTENT_BITS = 17;
