// The way from frames back to RGB: the inverse of the matrix of BT.601.
import { expect, it } from 'vitest';
import { frameFromI420 } from '../../src/picture/frame.js';
import { frameToRgb } from '../../src/picture/frame-to-rgb.js';

it('frameToRgb is the matrix of BT.601, clipped', () => {
  const colour = (y: number, u: number, v: number) => [...frameToRgb(frameFromI420(1, 1, Uint8Array.of(y, u, v)))];
  expect(colour(16, 128, 128)).toEqual([0, 0, 0]);
  expect(colour(235, 128, 128)).toEqual([255, 255, 255]);
  expect(colour(0, 128, 128)).toEqual([0, 0, 0]);
  expect(colour(81, 90, 240)).toEqual([254, 0, 0]); // red, rounded to 8 bits on its way
  for (let y = 16; y <= 235; y++) {
    for (const [u, v] of [
      [100, 150],
      [128, 90],
      [160, 128],
    ]) {
      const [cb, cr] = [((u - 128) * 255) / 224, ((v - 128) * 255) / 224];
      const luma = ((y - 16) * 255) / 219;
      const exact = [luma + 1.402 * cr, luma - 0.344136 * cb - 0.714136 * cr, luma + 1.772 * cb];
      const rounded = exact.map(value => Math.max(0, Math.min(255, value)));
      for (const [i, value] of colour(y, u, v).entries()) expect(Math.abs(value - rounded[i])).toBeLessThan(0.51);
    }
  }
});
