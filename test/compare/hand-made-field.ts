// Makes motion fields by hand.
import type { MotionField } from '../../src/motion/estimator.js';
import { macroblockGrid } from '../../src/picture/picture.js';

/** A field for a picture of `width * height` pels, its vectors from a function of the block's column and row. */
export function handMadeField(
  size: { readonly width: number; readonly height: number },
  blockSize: 8 | 16,
  vectorOf: (column: number, row: number) => readonly [dx: number, dy: number],
  candidatesPerBlock = 1,
): MotionField {
  const { codedWidth, codedHeight } = macroblockGrid(size.width, size.height);
  const blockColumns = codedWidth / blockSize;
  const blockRows = codedHeight / blockSize;
  const entries = blockColumns * blockRows * candidatesPerBlock;
  const field = { dx: new Int16Array(entries), dy: new Int16Array(entries), cost: new Uint32Array(entries) };
  for (let block = 0; block < blockColumns * blockRows; block++) {
    const [dx, dy] = vectorOf(block % blockColumns, Math.floor(block / blockColumns));
    for (let i = 0; i < candidatesPerBlock; i++) {
      // What comes after the best is another vector: whoever reads it by mistake is found out.
      field.dx[block * candidatesPerBlock + i] = i === 0 ? dx : 99;
      field.dy[block * candidatesPerBlock + i] = i === 0 ? dy : -99;
    }
  }
  return { blockSize, blockColumns, blockRows, candidatesPerBlock, ...field };
}
