// A generated pan with other noise in each picture.
import { generateSample } from '../../samples/generate.js';
import type { Frame } from '../../src/picture/frame.js';

/** Pictures that pan, whose luma has noise of up to `level` levels. */
export function noisyPan(size: { width: number; height: number }, frames: number, level: number): Frame[] {
  const noise = [...generateSample({ kind: 'noise', ...size, frames, seed: 3 })];
  return [...generateSample({ kind: 'pan', ...size, frames, seed: 3 })].map((frame, i) => ({
    ...frame,
    y: frame.y.map((pel, at) => Math.max(0, Math.min(255, pel + (noise[i]!.y[at]! % (2 * level + 1)) - level))),
  }));
}
