// The eight neighbours of a vector in the order in which searches try them.

/**
 * Displacements of the neighbours; the first four lie along the axes.
 *
 *     4 0 5
 *     1 . 2
 *     6 3 7
 */
export const NEIGHBOURS: readonly (readonly [dx: number, dy: number])[] = [
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
];
