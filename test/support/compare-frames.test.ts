// The comparison of frames: silent on equal ones, and exact about where others differ.
import { describe, expect, it } from 'vitest';
import { type Frame, frameFromI420, i420Bytes } from '../../src/picture/frame.js';
import { expectSameFrames } from './compare-frames.js';

const WIDTH = 40;
const HEIGHT = 34;

function gray(value: number, width = WIDTH, height = HEIGHT): Frame {
  return frameFromI420(width, height, new Uint8Array(i420Bytes(width, height)).fill(value));
}

describe('expectSameFrames', () => {
  it('is silent on equal frames', () => {
    expectSameFrames([gray(1), gray(2)], [gray(1), gray(2)]);
    expectSameFrames([], []);
  });

  it.each([
    {
      plane: 'y',
      at: 33 * WIDTH + 17,
      place: 'plane y, macroblock row 2, column 1, pel (17, 33): 9, expected 1; 1 of 1360',
    },
    { plane: 'u', at: 8 * 20 + 16, place: 'plane u, macroblock row 1, column 2, pel (16, 8): 9, expected 1; 1 of 340' },
    { plane: 'v', at: 0, place: 'plane v, macroblock row 0, column 0, pel (0, 0): 9, expected 1; 1 of 340' },
  ] as const)('names the first differing pel: $place', ({ plane, at, place }) => {
    const changed = gray(1);
    changed[plane][at] = 9;
    expect(() => expectSameFrames([gray(0), changed], [gray(0), gray(1)], 'test.m1v')).toThrow(
      `test.m1v: picture 1, ${place} pels differ`,
    );
  });

  it('names a different count or size', () => {
    expect(() => expectSameFrames([gray(0)], [gray(0), gray(1)])).toThrow(
      '1 pictures, expected 2; the first 1 are equal',
    );
    expect(() => expectSameFrames([gray(0, 16, 16)], [gray(0)])).toThrow('picture 0 is 16x16, expected 40x34');
  });
});
