// Draws how far two frames differ.
import type { Frame } from '../../picture/frame.js';
import { Canvas } from './canvas.js';

/** Makes small differences brighter. */
const GAMMA = 1.5;
const WHITE = 255;

/**
 * Draws the absolute difference d of luma as gray: 255 (d / 255)^(1 / 1.5), rounded. Equal pels are black. The frames
 * have one size.
 */
export function drawDifference(a: Frame, b: Frame): Canvas {
  const canvas = new Canvas(a.width, a.height);
  const shades = Uint8Array.from({ length: WHITE + 1 }, (_, d) => Math.round(WHITE * (d / WHITE) ** (1 / GAMMA)));
  for (let pel = 0; pel < a.width * a.height; pel++) {
    canvas.pels.fill(shades[Math.abs(a.y[pel]! - b.y[pel]!)]!, 3 * pel, 3 * pel + 3);
  }
  return canvas;
}
