// Checks that an estimator's motion field keeps the contract.
import { InputError } from '../../errors.js';
import type { MotionField } from '../../motion/estimator.js';
import type { MacroblockGrid } from '../../picture/picture.js';

/**
 * Throws an InputError with the estimator's name and the first fault unless `field` is valid for a picture of `grid`:
 * it has the right number of blocks and entries, and each block's best vector stays inside the reference picture. A
 * third party's estimator may break the contract.
 */
export function checkField(field: MotionField, grid: MacroblockGrid, estimator: string): void {
  const { blockSize, blockColumns, blockRows, candidatesPerBlock, dx, dy } = field;
  const { codedWidth, codedHeight } = grid;
  if (blockColumns * blockSize !== codedWidth || blockRows * blockSize !== codedHeight) {
    const covered = `${blockColumns}x${blockRows} blocks of ${blockSize} pels`;
    throw new InputError(`${estimator} answered with ${covered} for a picture of ${codedWidth}x${codedHeight}`);
  }
  const entries = blockColumns * blockRows * candidatesPerBlock;
  if (dx.length !== entries || dy.length !== entries) {
    throw new InputError(
      `${estimator} answered with ${dx.length} dx and ${dy.length} dy instead of ${entries} of each`,
    );
  }
  for (let block = 0; block < blockColumns * blockRows; block++) {
    const at = block * candidatesPerBlock;
    const x = (block % blockColumns) * blockSize + dx[at]!;
    const y = Math.floor(block / blockColumns) * blockSize + dy[at]!;
    if (x < 0 || y < 0 || x + blockSize > codedWidth || y + blockSize > codedHeight) {
      const vector = `(${dx[at]}, ${dy[at]})`;
      throw new InputError(`${estimator}: the vector ${vector} of block ${block} leaves the reference picture`);
    }
  }
}
