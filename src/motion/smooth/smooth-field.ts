// Semi-global matching over a grid of blocks: from the best vectors of each block, those that make the field smooth.
import type { EstimatorParameters, MotionField } from '../estimator.js';

/** Penalties of a vector beside a neighbour's, in the units of the metric. */
export interface SmoothnessPenalties {
  /** Where the two are one step apart: at most 1 along each axis. */
  readonly p1: number;
  /** Where they are farther apart. */
  readonly p2: number;
}

/** Penalties for a pel of a block, by metric; docs/decisions/smooth-vectors.md has those that were tried. */
const PENALTIES_OF_PEL = { sad: { p1: 0.5, p2: 2 }, sse: { p1: 4, p2: 16 } } as const;

/** The penalties for blocks of these parameters: whole numbers. */
export function smoothnessPenalties({
  metric,
  blockSize,
}: Pick<EstimatorParameters, 'metric' | 'blockSize'>): SmoothnessPenalties {
  const { p1, p2 } = PENALTIES_OF_PEL[metric];
  return { p1: p1 * blockSize ** 2, p2: p2 * blockSize ** 2 };
}

/** The steps from a block to the next along the eight paths; the neighbours before it come first in raster order. */
const FORWARD = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
] as const;
const BACKWARD = [
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;

/**
 * A field with `keep` vectors a block, at most as many as `field` has. The first one of a block is that of the least
 * sum over eight paths, as in Hirschmüller's semi-global matching (2008), with blocks for pels and the vectors of
 * `field` for disparities; the first of equals wins. Then come those that `field` has after it; the last is repeated. A
 * label is the index of a vector in the arrays of `field`.
 */
export function smoothField(field: MotionField, penalties: SmoothnessPenalties, keep: number): MotionField {
  const { blockSize, blockColumns, blockRows, candidatesPerBlock: count, dx, dy, cost } = field;
  const sums = sumsOverPaths(field, penalties);
  const entries = blockColumns * blockRows * keep;
  const smooth = { dx: new Int16Array(entries), dy: new Int16Array(entries), cost: new Uint32Array(entries) };
  for (let block = 0; block < blockColumns * blockRows; block++) {
    const first = block * count;
    let best = first;
    for (let label = first + 1; label < first + count; label++) if (sums[label]! < sums[best]!) best = label;
    for (let i = 0; i < keep; i++) {
      const from = Math.min(best + i, first + count - 1);
      smooth.dx[block * keep + i] = dx[from]!;
      smooth.dy[block * keep + i] = dy[from]!;
      smooth.cost[block * keep + i] = cost[from]!;
    }
  }
  return { blockSize, blockColumns, blockRows, candidatesPerBlock: keep, ...smooth };
}

/** The path costs of each vector, summed up over the eight directions. All are whole numbers below 2^53. */
function sumsOverPaths(field: MotionField, penalties: SmoothnessPenalties): Float64Array {
  const sums = new Float64Array(field.cost.length);
  for (const step of FORWARD) addPath(sums, field, penalties, step, false);
  for (const step of BACKWARD) addPath(sums, field, penalties, step, true);
  return sums;
}

/** Adds the costs of the paths along one direction. */
function addPath(
  sums: Float64Array,
  { blockColumns, blockRows, candidatesPerBlock: count, dx, dy, cost }: MotionField,
  { p1, p2 }: SmoothnessPenalties,
  [stepX, stepY]: readonly [number, number],
  isBackward: boolean,
): void {
  const path = new Float64Array(cost.length);
  const blocks = blockColumns * blockRows;
  const least = new Float64Array(blocks);
  for (let i = 0; i < blocks; i++) {
    const block = isBackward ? blocks - 1 - i : i;
    const fromX = (block % blockColumns) - stepX;
    const fromY = Math.floor(block / blockColumns) - stepY;
    const isInside = fromX >= 0 && fromY >= 0 && fromX < blockColumns && fromY < blockRows;
    const from = fromY * blockColumns + fromX;
    let blockLeast = Number.POSITIVE_INFINITY;
    for (let label = block * count; label < (block + 1) * count; label++) {
      let before = isInside ? p2 : 0; // above the least path cost of the block before
      for (let other = from * count; isInside && other < (from + 1) * count; other++) {
        const apart = Math.max(Math.abs(dx[label]! - dx[other]!), Math.abs(dy[label]! - dy[other]!));
        const penalty = apart === 0 ? 0 : apart === 1 ? p1 : p2;
        before = Math.min(before, path[other]! - least[from]! + penalty);
      }
      path[label] = cost[label]! + before;
      sums[label]! += path[label]!;
      blockLeast = Math.min(blockLeast, path[label]!);
    }
    least[block] = blockLeast;
  }
}
