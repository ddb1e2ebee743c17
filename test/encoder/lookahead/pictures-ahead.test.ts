// How many plans are under way: more with more threads, fewer of large pictures.
import { expect, it } from 'vitest';
import { picturesAhead } from '../../../src/encoder/settings/pictures-ahead.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

it.each([
  [640, 480, 1, 8, 8],
  [640, 480, 4, 8, 16],
  [640, 480, 16, 32, 64],
  [1920, 1080, 4, 8, 16],
  [1920, 1080, 16, 16, 64], // 24 MiB hold eight pictures more, 200 MiB 67
  [4095, 2800, 16, 9, 20],
])('%ix%i with %i threads: %i, %i where a GPU searches', (width, height, threads, byCpu, byGpu) => {
  const options = { threads, grid: macroblockGrid(width, height) };
  expect(picturesAhead(options, false)).toBe(byCpu);
  expect(picturesAhead(options, true)).toBe(byGpu);
});
