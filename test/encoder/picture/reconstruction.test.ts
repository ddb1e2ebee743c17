// Where B pictures are reconstructed, and the squared error of a picture that is added up row by row.
import { describe, expect, it } from 'vitest';
import { NonReferencePicture, type PlanePointers } from '../../../src/encoder/picture/reconstructed-picture.js';
import { PictureErrors } from '../../../src/encoder/picture/reconstruction.js';
import { createWorkspace, workspaceBytes } from '../../../src/encoder/picture/workspace.js';
import { allocateQuantizers, QUANTIZERS_BYTES } from '../../../src/encoder/quantizer/quantizer-set.js';
import { KernelMemory } from '../../../src/kernels/kernel-memory.js';
import { PICTURE_PLANES } from '../../../src/kernels/records/picture-planes.js';
import { chromaLength, type Frame } from '../../../src/picture/frame.js';
import { macroblockGrid, pictureBytes, pictureFromFrame } from '../../../src/picture/picture.js';

describe('NonReferencePicture', () => {
  const grid = macroblockGrid(32, 48);

  it('has each row where the one before was', () => {
    const memory = new KernelMemory(pictureBytes(grid) + NonReferencePicture.bytes(grid));
    memory.allocate(pictureBytes(grid));
    const picture = new NonReferencePicture(memory, grid);
    const rowAt = (mbY: number) => {
      picture.reconstructRow(mbY);
      const { y, u, v } = picture;
      const { y: recordY, u: recordU, v: recordV } = PICTURE_PLANES.at(memory, picture.record);
      expect([recordY, recordU, recordV]).toEqual([y, u, v]);
      return [y + 16 * 32 * mbY, u + 8 * 16 * mbY, v + 8 * 16 * mbY];
    };
    const first = rowAt(0);
    expect([rowAt(2), rowAt(1), rowAt(0)]).toEqual([first, first, first]);
    expect(new Set(first).size).toBe(3);
  });

  it('is as large as a picture where all of it is wanted', () => {
    const memory = new KernelMemory(NonReferencePicture.bytes(grid, true));
    const picture = new NonReferencePicture(memory, grid, true);
    const { y, u, v } = picture;
    picture.reconstructRow(2);
    expect([picture.y, picture.u, picture.v]).toEqual([y, u, v]);
    expect([u >= y + 32 * 48, v >= u + 16 * 24]).toEqual([true, true]);
  });
});

/** Planes of pels that depend on their place and on `seed`. */
function frameOf(width: number, height: number, seed: number): Frame {
  const plane = (length: number, step: number) =>
    Uint8Array.from({ length }, (_, i) => (i * step * (seed + 3) + seed * 41 + (i >> 3)) & 255);
  const chroma = chromaLength(width) * chromaLength(height);
  return { width, height, y: plane(width * height, 7), u: plane(chroma, 11), v: plane(chroma, 13) };
}

function sumOfSquares(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, pel, i) => sum + (pel - b[i]!) ** 2, 0);
}

describe('PictureErrors', () => {
  it.each([
    ['in the memory of the coder', 48, 48, true],
    ['elsewhere', 48, 48, false],
    ['in that memory, rows and columns cut off', 41, 35, true],
    ['elsewhere, rows and columns cut off', 41, 35, false],
  ])('with a source picture %s', async (_, width, height, isHere) => {
    const grid = macroblockGrid(width, height);
    const memory = new KernelMemory(workspaceBytes({ grid }) + QUANTIZERS_BYTES + 3 * pictureBytes(grid));
    const quantizers = allocateQuantizers(memory, { intra: undefined, nonIntra: undefined }, false);
    const workspace = await createWorkspace(memory, { grid, quantizers });
    const [source, shown] = [frameOf(width, height, 1), frameOf(width, height, 2)];
    const place = () => memory.allocate(pictureBytes(grid));
    const buffer = memory.wasm.buffer;
    const picture = isHere ? pictureFromFrame(0, source, grid, buffer, place()) : pictureFromFrame(0, source, grid);
    const reconstructed = pictureFromFrame(1, shown, grid, buffer, place());
    const planes: PlanePointers = {
      record: 0,
      y: memory.addressOf(reconstructed.y),
      u: memory.addressOf(reconstructed.u),
      v: memory.addressOf(reconstructed.v),
      lumaStride: grid.codedWidth,
      chromaStride: grid.codedWidth / 2,
    };
    const errors = new PictureErrors(workspace);
    for (const begun of ['one picture', 'another one']) {
      errors.begin();
      for (let mbY = 0; mbY < grid.mbHeight; mbY++) errors.addRow(mbY, picture, planes);
      expect(errors.sums, begun).toEqual({
        y: sumOfSquares(source.y, shown.y),
        u: sumOfSquares(source.u, shown.u),
        v: sumOfSquares(source.v, shown.v),
      });
    }
  });
});
