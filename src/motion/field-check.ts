// Checks that the answer of a third party's estimator is a motion field that can be used.
import { InputError } from '../errors.js';
import type { EstimatorParameters, MotionField } from './estimator.js';

/** The parts of {@link EstimatorParameters} that a field follows. */
export type FieldShape = Pick<EstimatorParameters, 'width' | 'height' | 'blockSize' | 'candidatesPerBlock'>;

const ARRAYS = { dx: Int16Array, dy: Int16Array, cost: Uint32Array } as const;

/**
 * A copy of `answer`, which is a field for a picture and blocks of `shape`: it has the blocks, the entries and the
 * types of the contract, and no vector leaves the reference picture. Range, costs and order of the vectors are not
 * checked: that would take time with every picture. Throws an InputError with the estimator's name and the first fault.
 */
export function checkedField(answer: unknown, shape: FieldShape, estimator: string): MotionField {
  const fault = (what: string) => new InputError(`the estimator ${estimator} ${what}`);
  if (typeof answer !== 'object' || answer === null) throw fault(`answered with ${String(answer)}, not with a field`);
  const { blockSize, blockColumns, blockRows, candidatesPerBlock, dx, dy, cost } = answer as MotionField;
  const { width, height } = shape;
  if (blockSize !== shape.blockSize || blockColumns * blockSize !== width || blockRows * blockSize !== height) {
    const covered = `${blockColumns}x${blockRows} blocks of ${blockSize} pels`;
    throw fault(`answered with ${covered} for a picture of ${width}x${height} in blocks of ${shape.blockSize}`);
  }
  if (candidatesPerBlock !== shape.candidatesPerBlock) {
    throw fault(`answered with ${candidatesPerBlock} vectors per block, not ${shape.candidatesPerBlock}`);
  }
  const entries = blockColumns * blockRows * candidatesPerBlock;
  for (const [name, array] of Object.entries({ dx, dy, cost })) {
    const type = ARRAYS[name as keyof typeof ARRAYS].name;
    if (!ArrayBuffer.isView(array) || array[Symbol.toStringTag] !== type)
      throw fault(`answered with a ${name} that is no ${type}`);
    if (array.length !== entries) throw fault(`answered with ${array.length} entries of ${name}, not ${entries}`);
  }
  const field = {
    blockSize,
    blockColumns,
    blockRows,
    candidatesPerBlock,
    dx: dx.slice(),
    dy: dy.slice(),
    cost: cost.slice(),
  };
  const outside = firstVectorOutside(field, shape);
  if (outside === undefined) return field;
  const block = Math.floor(outside / candidatesPerBlock);
  const vector = `(${field.dx[outside]}, ${field.dy[outside]})`;
  throw fault(`answered with the vector ${vector} of block ${block}, which leaves the reference picture`);
}

/** The first entry whose vector leads out of the reference picture; undefined if there is none. */
function firstVectorOutside(field: MotionField, { width, height }: FieldShape): number | undefined {
  const { blockSize, blockColumns, candidatesPerBlock, dx, dy } = field;
  const entry = dx.findIndex((_, i) => {
    const block = Math.floor(i / candidatesPerBlock);
    const x = (block % blockColumns) * blockSize + dx[i]!;
    const y = Math.floor(block / blockColumns) * blockSize + dy[i]!;
    return x < 0 || y < 0 || x + blockSize > width || y + blockSize > height;
  });
  return entry < 0 ? undefined : entry;
}
