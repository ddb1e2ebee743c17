// Tests of frames in the encoder's own memory: the same stream as from frames that are copied.
import { expect, it } from 'vitest';
import { Encoder } from '../../src/encoder/encoder.js';
import type { Frame } from '../../src/picture/frame.js';
import { patternFrame } from '../media/test-frames.js';

/** The stream of some frames, as `prepare` gives them to the encoder. */
async function streamOf(width: number, height: number, prepare: (frame: Frame, encoder: Encoder) => Frame) {
  const encoder = new Encoder({ width, height, frameRate: 25, preset: 'fastest', threads: 1, estimator: 'zero' });
  const units: Uint8Array[] = [];
  const written = (async () => {
    for await (const { data } of encoder) units.push(data);
  })();
  for (let i = 0; i < 4; i++) await encoder.add(prepare(patternFrame(width, height, i), encoder));
  await encoder.finish();
  await written;
  return Buffer.concat(units);
}

function fill({ y, u, v }: Frame, from: Frame): void {
  y.set(from.y);
  u.set(from.u);
  v.set(from.v);
}

it.each([
  [48, 32],
  [48, 37],
  [41, 32],
  [33, 17],
  [1, 1],
])('has the pels of %i x %i frames in place', async (width, height) => {
  const copied = await streamOf(width, height, frame => frame);
  const inPlace = await streamOf(width, height, (frame, encoder) => {
    const own = encoder.newFrame();
    expect(own).toMatchObject({ width, height });
    fill(own, frame);
    return own;
  });
  expect(inPlace.equals(copied)).toBe(true);
});

it('copies planes that are not at their places', async () => {
  const copied = await streamOf(48, 32, ({ u, v, ...frame }) => ({ ...frame, u: v, v: u }));
  const swapped = await streamOf(48, 32, (frame, encoder) => {
    const own = encoder.newFrame();
    fill(own, frame);
    return { ...own, u: own.v, v: own.u };
  });
  expect(swapped.equals(copied)).toBe(true);
});

it.each([
  [1, 'cpu-predictive', 1],
  [2, 'cpu-predictive', 1],
  // An estimator that may not expect shared memory: one buffer a frame.
  [1, () => Promise.reject(new Error('not called')), 3],
] as const)('gives each frame a place of its own from the first on: threads %i, %s', (threads, estimator, buffers) => {
  const encoder = new Encoder({ width: 16, height: 16, frameRate: 25, threads, estimator });
  const planes = Array.from({ length: 3 }, () => encoder.newFrame().y);
  expect(new Set(planes.map(({ buffer }) => buffer)).size).toBe(buffers);
  for (const [i, plane] of planes.entries()) plane.fill(i);
  expect(planes.map(plane => [...new Set(plane)])).toEqual([[0], [1], [2]]);
});
