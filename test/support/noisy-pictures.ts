// Generated pictures that pan, or stand still, with other noise in each.
import { generateSample } from '../../samples/generate.js';
import type { Frame } from '../../src/picture/frame.js';

type Size = Pick<Frame, 'width' | 'height'>;

/** Pictures that pan, whose luma has noise of up to `level` levels. */
export function noisyPan(size: Size, frames: number, level: number): Frame[] {
  return withNoise([...generateSample({ kind: 'pan', ...size, frames, seed: 3 })], level);
}

/** A picture that stands still, whose luma has noise of up to `level` levels. */
export function noisyStill(size: Size, frames: number, level: number): Frame[] {
  const [still] = generateSample({ kind: 'pan', ...size, frames: 1, seed: 3 });
  return withNoise(new Array(frames).fill(still), level);
}

function withNoise(frames: readonly Frame[], level: number): Frame[] {
  const [{ width, height }] = frames as [Frame];
  const noise = [...generateSample({ kind: 'noise', width, height, frames: frames.length, seed: 3 })];
  return frames.map((frame, i) => ({
    ...frame,
    y: frame.y.map((pel, at) => Math.max(0, Math.min(255, pel + (noise[i]!.y[at]! % (2 * level + 1)) - level))),
  }));
}
