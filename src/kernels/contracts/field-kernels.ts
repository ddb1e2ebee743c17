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
   * Counts macroblocks by how many bits their extent in half-pels has (see `vectorExtent`): that of the best vector,
   * which the field has in full pels, and of the half-pel neighbours of this vector. Adds the counts to those at
   * `counts`, a u32 for each number of bits from 0 to {@link MAX_EXTENT_BITS}.
   */
  countExtents(counts: number, dx: number, dy: number, candidates: number, macroblocks: number): void;
  /**
   * The extent of vectors: the least n, 0 or more, for which all components lie in -1 - n..n. Each macroblock has flags
   * (u8, at `flagsAt`) and one vector; only those whose flags share a bit with `flags` count.
   */
  vectorExtent(flagsAt: number, flags: number, dx: number, dy: number, macroblocks: number): number;
}

/** Bits of the largest extent: that of an i16 in full pels, as half-pels. */
export const MAX_EXTENT_BITS = 17;
