// A small film of snow for tests.
import { type SnowOptions, type SnowScene, snowScene } from '../../../samples/snow/scene.js';

/** A film of 83x45 pels, 600 flakes and 16x8x16 cells; neither side of the picture is a whole number of macroblocks. */
export function smallScene(options: Partial<SnowOptions> = {}): SnowScene {
  const grid = { x: 16, y: 8, z: 16 };
  return snowScene({ width: 83, height: 45, seed: 3, flakes: 600, grid, iterations: 30, ...options });
}

/** The largest absolute value. */
export function largest(values: Float32Array): number {
  return values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
}

/** The largest absolute difference of two arrays. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let max = 0;
  for (let at = 0; at < a.length; at++) max = Math.max(max, Math.abs(a[at] - b[at]));
  return max;
}
