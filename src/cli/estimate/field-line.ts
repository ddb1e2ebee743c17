// A line of `estimate --vectors`: the motion field of a pair of frames.
import type { SearchedPair } from '../../compare/motion-fields/pair-search.js';
import type { MotionField } from '../../motion/estimator.js';

type Vector = readonly [dx: number, dy: number];

/** The field of a pair: blocks in raster order, vectors in full pels. */
export interface FieldLine {
  /** Numbers of the two frames, from 0. */
  readonly frame: number;
  readonly reference: number;
  readonly blockSize: 8 | 16;
  readonly blockColumns: number;
  readonly blockRows: number;
  /** The best vector of each block, and its cost. */
  readonly vectors: readonly Vector[];
  readonly costs: readonly number[];
  /** All candidates of each block, best first; absent if one candidate was asked for. */
  readonly candidates?: readonly (readonly Vector[])[];
}

/** The line of a pair. */
export function fieldLine({ currentNumber, referenceNumber, field }: SearchedPair): FieldLine {
  const { blockSize, blockColumns, blockRows, candidatesPerBlock } = field;
  const candidates = Array.from({ length: blockColumns * blockRows }, (_, block) => candidatesOf(field, block));
  return {
    frame: currentNumber,
    reference: referenceNumber,
    blockSize,
    blockColumns,
    blockRows,
    vectors: candidates.map(vectors => vectors[0]!),
    costs: candidates.map((_, block) => field.cost[block * candidatesPerBlock]!),
    ...(candidatesPerBlock > 1 && { candidates }),
  };
}

function candidatesOf({ candidatesPerBlock, dx, dy }: MotionField, block: number): Vector[] {
  return Array.from({ length: candidatesPerBlock }, (_, i) => {
    const at = block * candidatesPerBlock + i;
    return [dx[at]!, dy[at]!];
  });
}
