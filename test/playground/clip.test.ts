// A clip of the playground ends with its length, when it is stopped, and before it takes too much memory.
import { expect, it } from 'vitest';
import { Clip } from '../../playground/sources/clip.js';
import { sampleSource } from '../../playground/sources/sample-source.js';

/** Reads a clip of endless pictures of this size, whose planes are empty: only their size counts. */
async function endlessClip(width: number, height: number, seconds: number): Promise<Clip> {
  const plane = new Uint8Array();
  const source = {
    name: 'endless',
    async *open() {
      for (;;) yield { width, height, y: plane, u: plane, v: plane };
    },
  };
  const clip = new Clip(source, { size: 640, seconds, flakes: 0 });
  for await (const _ of clip.read());
  return clip;
}

it.each([
  { width: 320, height: 240, seconds: 10, frames: 250, isCut: false },
  { width: 320, height: 240, seconds: 60, frames: 1500, isCut: false },
  // 512 MiB hold 582 pictures of 460,800 bytes twice.
  { width: 640, height: 480, seconds: 60, frames: 582, isCut: true },
])('takes $frames pictures of $widthx$height for $seconds s', async ({ width, height, seconds, ...expected }) => {
  const { frames, isCut } = await endlessClip(width, height, seconds);
  expect({ frames: frames.length, isCut }).toEqual(expected);
});

it('takes the 75 pictures of a sample', async () => {
  const clip = new Clip(sampleSource('pan'), { size: 96, seconds: 10, flakes: 0 });
  for await (const _ of clip.read());
  expect(clip.frames.map(({ width, height }) => [width, height])).toEqual(Array.from({ length: 75 }, () => [96, 72]));
  expect(new Set(clip.frames.map(({ y }) => Buffer.from(y).toString('base64'))).size).toBe(75);
});

/** A source whose first picture never comes; a clip that is stopped does not wait for it. */
const slow = {
  name: 'Camera',
  isLive: true,
  async *open() {
    await new Promise(() => {});
    yield* [];
  },
};

it('that is stopped before its first picture ends at once, and says so', async () => {
  const clip = new Clip(slow, { size: 96, seconds: 10, flakes: 0 });
  const reading = clip.read().next();
  clip.stop();
  await expect(reading).rejects.toThrow('Camera was stopped before its first picture');
  expect(clip.isWhole).toBe(true);
});

it('is no longer waited for by a reader who gives up', async () => {
  const clip = new Clip(slow, { size: 96, seconds: 10, flakes: 0 });
  const givenUp = new AbortController();
  const reading = clip.read(givenUp.signal).next();
  givenUp.abort();
  expect(await reading).toEqual({ done: true, value: undefined });
  clip.stop();
});
