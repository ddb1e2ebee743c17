// Where chunks take their frames from: what is asked again without seeking, and which rates are the same.
import { expect, it } from 'vitest';
import type { PlannedChunk } from '../../src/chunks/chunk-plan.js';
import { type ChunkSource, isSameRate, plannedFrames } from '../../src/chunks/chunk-source.js';
import { hashOfFrame } from '../../src/chunks/content-hash.js';
import { InputError } from '../../src/errors.js';
import type { Frame, FrameRange } from '../../src/picture/frame.js';
import { expectSameFrames } from '../support/compare-frames.js';
import { scenes, sourceOf } from './chunk-clips.js';

const frames = scenes([['pan', 6]], { width: 32, height: 32 });
const planned = frames.slice(1, 5);
const chunk: PlannedChunk = {
  ...{ index: 0, firstFrame: 1, frames: planned.length, startTimeCode: '00:00:00:01' },
  frameHashes: planned.map(hashOfFrame).join(''),
};

/** Reads the chunk of a source that is searched, and fails then after two frames; tells what was asked. */
async function read(failure: Error) {
  const asked: FrameRange[] = [];
  const given: Frame[] = [];
  const memory = sourceOf(frames);
  const source: ChunkSource = {
    ...memory,
    seeksRoughly: true,
    async *frames(wanted) {
      asked.push(wanted);
      yield* memory.frames({ ...wanted, count: wanted.withoutSeeking ? wanted.count : 2 });
      if (!wanted.withoutSeeking) throw failure;
    },
  };
  const reading = (async () => {
    for await (const frame of plannedFrames(source, chunk)) given.push(frame);
  })();
  const error: unknown = await reading.catch(reason => reason);
  return { asked, given, error };
}

it('what cannot be read where it was searched is read without seeking, from the next frame on', async () => {
  const { asked, given, error } = await read(new InputError('it ends early'));
  expect(error).toBeUndefined();
  expectSameFrames(given, planned);
  expect(asked).toEqual([
    { first: 1, count: 4, withoutSeeking: false },
    { first: 3, count: 2, withoutSeeking: true },
  ]);
});

it('a failure that is no fault of the input is passed on', async () => {
  const failure = new TypeError('a mistake in the source');
  expect(await read(failure)).toMatchObject({ error: failure, asked: [{ first: 1 }] });
});

it('rates are the same within 0.01 %: 29.97 is 30000/1001, and not 30', () => {
  const ntsc = { numerator: 30_000, denominator: 1001 };
  expect(isSameRate(ntsc, { numerator: 2997, denominator: 100 })).toBe(true);
  expect(isSameRate(ntsc, { numerator: 30, denominator: 1 })).toBe(false);
});
