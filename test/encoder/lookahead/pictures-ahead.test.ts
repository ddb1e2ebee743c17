// How many plans are under way: more with more threads, fewer of large pictures.
import { expect, it } from 'vitest';
import { picturesAhead } from '../../../src/encoder/lookahead/picture-planner.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

it.each([
  [640, 480, 1, 8],
  [640, 480, 4, 8],
  [640, 480, 16, 32],
  [1920, 1080, 4, 8],
  [1920, 1080, 16, 16], // 24 MiB hold eight pictures more
  [4095, 2800, 16, 9],
])('%ix%i with %i threads: %i', (width, height, threads, expected) => {
  expect(picturesAhead({ threads, grid: macroblockGrid(width, height) })).toBe(expected);
});
