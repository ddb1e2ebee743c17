// Predicts a frame from its reference with the vectors of a motion field.
import type { MotionField } from '../../motion/estimator.js';
import { chromaLength, type Frame } from '../../picture/frame.js';
import { macroblockGrid, type Picture, pictureFromFrame } from '../../picture/picture.js';

/**
 * The frame that the field's best vectors predict from `reference`, as an MPEG-1 decoder does. Each luma block is
 * copied from where its full-pel vector points. Chroma has half the vector (ISO/IEC 11172-2 §2.4.4.2): if a component
 * is odd, it is the mean of two or four pels. Beyond the reference's display area its last row and column repeat. The
 * field must have the frame's size.
 */
export function predictFrame(reference: Frame, field: MotionField): Frame {
  const { width, height } = reference;
  const padded = pictureFromFrame(0, reference, macroblockGrid(width, height));
  const chromaWidth = chromaLength(width);
  const chromaHeight = chromaLength(height);
  return {
    width,
    height,
    y: predictLuma(padded, width, height, field),
    u: predictChroma(padded.u, padded.grid.codedWidth >> 1, chromaWidth, chromaHeight, field),
    v: predictChroma(padded.v, padded.grid.codedWidth >> 1, chromaWidth, chromaHeight, field),
  };
}

function predictLuma({ y: source, grid }: Picture, width: number, height: number, field: MotionField): Uint8Array {
  const target = new Uint8Array(width * height);
  const { blockSize, blockColumns, candidatesPerBlock, dx, dy } = field;
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / blockSize) * blockColumns;
    for (let x = 0; x < width; x += blockSize) {
      const at = (row + x / blockSize) * candidatesPerBlock;
      const from = (y + dy[at]!) * grid.codedWidth + x + dx[at]!;
      target.set(source.subarray(from, from + Math.min(blockSize, width - x)), y * width + x);
    }
  }
  return target;
}

function predictChroma(
  source: Uint8Array,
  stride: number,
  width: number,
  height: number,
  field: MotionField,
): Uint8Array {
  const target = new Uint8Array(width * height);
  const { blockColumns, candidatesPerBlock, dx, dy } = field;
  const side = field.blockSize >> 1;
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / side) * blockColumns;
    for (let x = 0; x < width; x++) {
      const at = (row + Math.floor(x / side)) * candidatesPerBlock;
      // The luma vector in pels is the chroma vector in half-pels.
      const halfX = dx[at]! & 1;
      const halfY = dy[at]! & 1;
      const from = (y + (dy[at]! >> 1)) * stride + x + (dx[at]! >> 1);
      const below = from + halfY * stride;
      const sum = source[from]! + source[from + halfX]! + source[below]! + source[below + halfX]!;
      target[y * width + x] = (sum + 2) >> 2;
    }
  }
  return target;
}
