import type { KernelMemory } from './kernel-memory.js';

/**
 * What a search works on, as consecutive 32-bit words in kernel memory: `i32[(job >> 2) + SEARCH_JOB.width]`. "Pointer" is
 * a byte offset in the {@link KernelMemory}; planes are tight (their stride is the picture's width). Displacements are in
 * pels of the searched plane.
 *
 *     word  0      4           8          12        16        20
 *           | size | how       | planes   | sums    | penalty, in and out ...
 *
 * The order of vectors is the estimator contract's: smaller cost, then smaller |dx| + |dy|, smaller dy, smaller dx.
 * Cost is the metric + ((penaltyX[|dx| << level] + penaltyY[|dy| << level]) >> (2 * level)).
 */
export const SEARCH_JOB = {
  /** Size of both planes in pels, multiples of `blockSize`. */
  width: 0,
  height: 1,
  /** Side of a block: 16, 8, 4 or 2. */
  blockSize: 2,
  /** 0: sum of absolute differences; 1: sum of squared errors. */
  metric: 3,
  /** Largest |dx| and |dy|, 0..4095; vectors leave out what does not keep the block inside the reference plane. */
  rangeX: 4,
  rangeY: 5,
  /** Vectors kept per block, 1..8. */
  candidates: 6,
  /** Pyramid level of the planes, 0 at full resolution; see the cost above. */
  level: 7,
  /** Pointers to the planes. */
  current: 8,
  reference: 9,
  /** Pointers to the block sums of the reference plane, see `blockSums`; `searchNeighbourhoods` does not read them. */
  sums4: 10,
  sums8: 11,
  sums16: 12,
  /** Pointers to u32 tables by |d| << level, up to range << level. */
  penaltyX: 13,
  penaltyY: 14,
  /** Pointers to the answer, `candidates` entries per block in raster order: i16, i16, u32. */
  dx: 15,
  dy: 16,
  cost: 17,
  /**
   * For `searchNeighbourhoods` and `searchPredictively`: vectors per block that came in, 0..8, pointers to them (i16), and the radius
   * or first step in pels.
   */
  kept: 18,
  keptDx: 19,
  keptDy: 20,
  radius: 21,
} as const;

/** Bytes of a search job. */
export const SEARCH_JOB_BYTES = 22 * 4;

/** Most vectors that a search keeps per block. */
export const MAX_CANDIDATES = 8;

/**
 * Block-matching kernels. Each search answers one row of blocks of its job; where fewer than `candidates` vectors are
 * legal, the last one found fills the rest. Nothing but the answer is written.
 */
export interface SearchKernels {
  /**
   * Sums of every 4x4, 8x8 and 16x16 block of a plane (u16), each at the position of its block's first pel, with the
   * plane's own stride. Width and height are multiples of 4; a size larger than the plane is left out. Entries whose block
   * would leave the plane are undefined.
   */
  blockSums(sums4: number, sums8: number, sums16: number, plane: number, width: number, height: number): void;
  /**
   * Half the resolution: `target` is `width / 2 * height / 2`. Separable low-pass (1, 3, 3, 1) / 8 at the 2x2 centres, one
   * rounding for both axes; pels outside the plane repeat its edge. Even sizes only.
   */
  halvePlane(target: number, source: number, width: number, height: number): void;
  /** Tries every vector in full, without any early exit: what a SAD rate is measured with. */
  searchExhaustively(job: number, blockRow: number): void;
  /** The same answer, with fewer comparisons: vectors that a lower bound of their cost rules out are not tried. */
  searchByElimination(job: number, blockRow: number): void;
  /** Tries the vectors within `radius` of twice each kept vector: the next finer level of a pyramid. */
  searchNeighbourhoods(job: number, blockRow: number): void;
  /**
   * The two-dimensional logarithmic search. From the zero vector, with a step of 2^(ceil(log2(range)) - 1), range the larger
   * of rangeX and rangeY: while the step is above 1, the four vectors a step away along the axes are tried; the best of the
   * five becomes the centre, and where the centre stays the step is halved. At step 1 all eight neighbours are tried
   * once. Keeps the best of all it has tried.
   *
   *     step 4    . . o . .     step 1    o o o
   *               o . c . o               o c o
   *               . . o . .               o o o
   */
  searchLogarithmically(job: number, blockRow: number): void;
  /**
   * The logarithmic search from the best of some vectors: zero, the answers of the blocks to the left, above and above right, and the
   * kept ones (those that are legal). The first step is `radius`, a power of two. Rows are to be searched from the top.
   */
  searchPredictively(job: number, blockRow: number): void;
  /**
   * Turns the answers, one per block, into half-pels: each doubled, or the best of its eight neighbours that are legal where that is
   * better. The reference is followed by its `halfPelPlanes`; blocks are 8x8. The penalty is that of the whole pels.
   */
  refineHalfPels(job: number, blockRow: number): void;
}

/** Takes a job's place in `memory` and writes `fields`, the others 0. Returns the pointer. */
export function allocateSearchJob(
  memory: KernelMemory,
  fields: { readonly [Field in keyof typeof SEARCH_JOB]?: number },
): number {
  const pointer = memory.allocate(SEARCH_JOB_BYTES);
  setSearchJob(memory, pointer, fields);
  return pointer;
}

/** Rewrites some fields of a job. */
export function setSearchJob(
  memory: KernelMemory,
  pointer: number,
  fields: { readonly [Field in keyof typeof SEARCH_JOB]?: number },
): void {
  for (const [field, value] of Object.entries(fields)) {
    memory.i32[pointer / 4 + SEARCH_JOB[field as keyof typeof SEARCH_JOB]] = value;
  }
}
