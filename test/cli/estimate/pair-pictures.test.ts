// The four pictures of a pair, pel by pel.
import { describe, expect, it } from 'vitest';
import { pairPictures } from '../../../src/cli/estimate/pair-pictures.js';
import type { Canvas } from '../../../src/compare/overlay/canvas.js';
import { frameFromI420, i420Bytes } from '../../../src/picture/frame.js';
import { directionColour } from '../../../src/viewer/direction-colour.js';
import { handMadeField } from '../../compare/hand-made-field.js';

const SIZE = { width: 16, height: 8 };
const SCALE = 4;
const PAPER = [24, 24, 24];
const GRID = [64, 64, 64];

/** A frame of 16x8 pels, its luma from a function. */
function frameOf(lumaOf: (x: number, y: number) => number) {
  const frame = frameFromI420(SIZE.width, SIZE.height, new Uint8Array(i420Bytes(SIZE.width, SIZE.height)).fill(128));
  for (const pel of frame.y.keys()) frame.y[pel] = lumaOf(pel % SIZE.width, Math.floor(pel / SIZE.width));
  return frame;
}

/** Two blocks of 8x8. The right one comes from 5 pels further left, the left one has not moved. */
const origin = frameOf((x, y) => 30 + 12 * x + y);
const target = frameOf((x, y) => (x < 8 ? 30 + 12 * x + y : 30 + 12 * (x - 5) + y + (y === 3 ? 2 : 0)));
const field = handMadeField(SIZE, 8, column => (column === 1 ? [-5, 0] : [0, 0]));
const predicted = frameOf((x, y) => (x < 8 ? 30 + 12 * x + y : 30 + 12 * (x - 5) + y));
const pictures = pairPictures({ current: target, reference: origin, field, study: { predicted } }, SCALE);

function forEachPel({ width, height }: Canvas, see: (x: number, y: number) => void): void {
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) see(x, y);
}

/** Whether a pel is near the dot of the left block, whose middle is (16, 16), or near the arrow that ends there. */
const isDrawnOn = (x: number, y: number) => Math.abs(y - 15.5) < 8 && x > 20 && x < 54;
const isDot = (x: number, y: number) => Math.hypot(x - 15.5, y - 15.5) < 4;

describe('pairPictures', () => {
  it('has four pictures of the right sizes', () => {
    expect(Object.entries(pictures).map(([name, { width, height }]) => [name, width, height])).toEqual([
      ['difference-origin-target', 16, 8],
      ['difference-prediction-target', 16, 8],
      ['vector-grid', 64, 32],
      ['vectors-over-origin', 64, 32],
    ]);
  });

  it('shows differences of luma with gamma 1.5', () => {
    // 255 (d / 255)^(2 / 3) for d of 0, 2, 58, 60.
    const shades: Readonly<Record<number, number>> = { 0: 0, 2: 10, 58: 95, 60: 97 };
    const before = pictures['difference-origin-target']!;
    const after = pictures['difference-prediction-target']!;
    forEachPel(before, (x, y) => {
      const residual = x >= 8 && y === 3 ? 2 : 0;
      const moved = x >= 8 ? 60 - residual : 0;
      expect([x, y, ...before.colourAt(x, y)]).toEqual([x, y, ...new Array(3).fill(shades[moved])]);
      expect([x, y, ...after.colourAt(x, y)]).toEqual([x, y, ...new Array(3).fill(shades[residual])]);
    });
  });

  it('draws the vectors over the grid of blocks alone', () => {
    const grid = pictures['vector-grid']!;
    forEachPel(grid, (x, y) => {
      if (isDrawnOn(x, y) || isDot(x, y)) return;
      expect([x, y, ...grid.colourAt(x, y)]).toEqual([x, y, ...(x % 32 === 0 || y % 32 === 0 ? GRID : PAPER)]);
    });
    // From the middle of the right block, (48, 16), 20 canvas pels to the left; a gray dot is in the left block.
    for (const x of [31, 38, 47]) expect(grid.colourAt(x, 15)).toEqual(directionColour(-5, 0).map(Math.round));
    const [dot] = grid.colourAt(15, 15);
    expect(dot).toBe(Math.round(0.3 * 24 + 0.7 * 150));
  });

  it('draws the same vectors over the origin, darkened', () => {
    const over = pictures['vectors-over-origin']!;
    forEachPel(over, (x, y) => {
      if (isDrawnOn(x, y) || isDot(x, y)) return;
      const luma = origin.y[Math.floor(y / SCALE) * SIZE.width + Math.floor(x / SCALE)]!;
      const gray = Math.max(0, Math.min(255, Math.round((0.55 * (luma - 16) * 255) / 219)));
      expect([x, y, ...over.colourAt(x, y)]).toEqual([x, y, gray, gray, gray]);
    });
    for (const x of [31, 38, 47]) expect(over.colourAt(x, 15)).toEqual(directionColour(-5, 0).map(Math.round));
  });
});
