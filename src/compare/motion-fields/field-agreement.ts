// Compares two motion fields block by block.
import { InputError } from '../../errors.js';
import type { MotionField } from '../../motion/estimator.js';

/** How many blocks were compared, and how many of them have the same best vector. */
export interface FieldAgreement {
  readonly blocks: number;
  readonly equal: number;
}

/**
 * Number of blocks that show part of a picture of `width` x `height` pels. Blocks wholly in the padding do not count.
 */
export function visibleBlocks(field: MotionField, width: number, height: number): { columns: number; rows: number } {
  return { columns: Math.ceil(width / field.blockSize), rows: Math.ceil(height / field.blockSize) };
}

/**
 * Counts equal best vectors of two fields over the visible blocks of a picture of `width` x `height` pels. Throws an
 * InputError if the fields have different blocks.
 */
export function compareFields(a: MotionField, b: MotionField, width: number, height: number): FieldAgreement {
  if (a.blockSize !== b.blockSize || a.blockColumns !== b.blockColumns || a.blockRows !== b.blockRows) {
    const shapeOf = ({ blockColumns, blockRows, blockSize }: MotionField) =>
      `${blockColumns}x${blockRows} blocks of ${blockSize} pels`;
    throw new InputError(`fields of ${shapeOf(a)} and of ${shapeOf(b)} cannot be compared`);
  }
  const { columns, rows } = visibleBlocks(a, width, height);
  let equal = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const block = row * a.blockColumns + column;
      const atA = block * a.candidatesPerBlock;
      const atB = block * b.candidatesPerBlock;
      if (a.dx[atA] === b.dx[atB] && a.dy[atA] === b.dy[atB]) equal++;
    }
  }
  return { blocks: columns * rows, equal };
}
