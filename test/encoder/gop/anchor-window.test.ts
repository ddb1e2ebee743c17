// Tests of how long things are kept that belong to pictures.
import { describe, expect, it } from 'vitest';
import { AnchorWindow } from '../../../src/encoder/gop/anchor-window.js';
import { CodedOrder, type PlannedPicture, patternType } from '../../../src/encoder/gop/gop-plan.js';
import { SourcePictures } from '../../../src/encoder/gop/source-pictures.js';
import { InternalError } from '../../../src/errors.js';
import { frameFromI420, i420Bytes } from '../../../src/picture/frame.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

/** A window of the pictures 0..count-1, each its own item. */
function windowOf(count: number): AnchorWindow<number> {
  const window = new AnchorWindow<number>();
  for (let n = 0; n < count; n++) window.add(n, n);
  return window;
}

describe('the window of anchors', () => {
  it('keeps a picture until the second anchor after it', () => {
    const window = windowOf(10);
    expect(window.advanceTo(0)).toEqual([]);
    expect(window.advanceTo(3)).toEqual([]);
    expect(window.advanceTo(6)).toEqual([0, 1, 2]);
    expect(window.advanceTo(9)).toEqual([3, 4, 5]);
    expect([...window.items]).toEqual([6, 7, 8, 9]);
  });

  it('keeps pictures that are added after later anchors are known', () => {
    const window = windowOf(7);
    window.advanceTo(0);
    window.advanceTo(4);
    window.add(7, 7);
    expect(window.advanceTo(6)).toEqual([0, 1, 2, 3]);
    expect([...window.items]).toEqual([4, 5, 6, 7]);
  });

  it('finds what it keeps, and refuses what it does not', () => {
    const window = windowOf(3);
    expect(window.get(1)).toBe(1);
    expect(window.remove(1)).toBe(1);
    expect(window.find(1)).toBeUndefined();
    expect(() => window.get(1)).toThrow(InternalError);
    expect(() => window.remove(1)).toThrow(InternalError);
    window.advanceTo(2);
    expect(window.advanceTo(5)).toEqual([0]);
  });
});

describe('source pictures', () => {
  const grid = macroblockGrid(16, 16);
  const frame = frameFromI420(16, 16, new Uint8Array(i420Bytes(16, 16)));

  it.each([0, 1, 2, 7])('with %i B pictures: anchors are there when needed, and memory is used again', bFrames => {
    const sources = new SourcePictures(grid, false);
    const order = new CodedOrder();
    const buffers = new Set<ArrayBufferLike>();
    const code = (plan: PlannedPicture) => {
      for (const number of [plan.displayNumber, plan.forward, plan.backward]) {
        if (number !== undefined) expect(sources.get(number).id).toBe(number);
      }
      sources.coded(plan, () => false);
      if (plan.type === 'B') expect(() => sources.get(plan.displayNumber)).toThrow(InternalError);
    };
    for (let n = 0; n < 60; n++) {
      buffers.add(sources.add(n, frame).y.buffer);
      for (const plan of order.push(n, patternType(n, order.lastAnchor, { gop: 12, bFrames, closedGop: false })))
        code(plan);
    }
    for (const plan of order.end()) code(plan);
    // Two anchors, the B pictures between the newer one and the next, and that.
    expect(buffers.size).toBe(bFrames + 3);
  });

  it('whose memory is still being read are not written over', () => {
    const sources = new SourcePictures(grid, false);
    const order = new CodedOrder();
    const buffers = new Set<ArrayBufferLike>();
    for (let n = 0; n < 9; n++) {
      buffers.add(sources.add(n, frame).y.buffer);
      for (const plan of order.push(n, n === 0 ? 'I' : 'P')) sources.coded(plan, number => number === 2);
    }
    expect(buffers.size).toBe(3 + 1);
  });

  it('lie in shared memory where threads read them', () => {
    expect(new SourcePictures(grid, true).add(0, frame).y.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(new SourcePictures(grid, false).add(0, frame).y.buffer).toBeInstanceOf(ArrayBuffer);
  });
});
