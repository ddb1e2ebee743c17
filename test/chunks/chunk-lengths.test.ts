// A cut that leaves just the least length on both sides of it starts a chunk; one that leaves less does not.
import { expect, it } from 'vitest';
import { chunkStarts } from '../../src/chunks/chunk-starts.js';

it.each([
  [9, [0]],
  [10, [0, 10]],
  [20, [0, 20]],
  [21, [0]],
])('of 30 frames and chunks of 10 or more, with a cut at frame %i', (cut, starts) => {
  expect(chunkStarts({ frames: 30, cuts: [cut], min: 10, max: 50, gop: 5 })).toEqual(starts);
});
