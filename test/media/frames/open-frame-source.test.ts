// What openFrameSource keeps to whatever the input is: its signal, its start, and one reading of its frames.
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { InputError, OptionError } from '../../../src/errors.js';
import { openFrameRanges } from '../../../src/media/frames/frame-ranges.js';
import type { FrameSourceOptions, FrameStart } from '../../../src/media/frames/frame-source.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { allFrames } from '../test-frames.js';
import { INPUT_SIZE, writeInputs } from './input-files.js';
import { expectClosed } from './open-files.js';

const folder = temporaryFolder();
const COUNT = 4;
const { y4m, images, raw } = await writeInputs(folder, COUNT);
const video = join(folder, 'clip.mkv');
runPackagedFfmpeg('-i', y4m, '-c:v', 'ffv1', video);

const INPUTS: Readonly<Record<string, readonly [string, FrameSourceOptions]>> = {
  images: [images, {}],
  y4m: [y4m, {}],
  'raw video': [raw, { size: INPUT_SIZE }],
  'a video': [video, {}],
};

const reason = new Error('not wanted any more');

/** A stream whose bytes never come. */
async function* endlessWait(): AsyncGenerator<Uint8Array> {
  await new Promise(() => {});
  yield new Uint8Array(0);
}

describe.each(Object.entries(INPUTS))('%s', (_, [input, options]) => {
  it('is not opened by who does not want it any more', async () => {
    const signal = AbortSignal.abort(reason);
    await expect(openFrameSource(input, { ...options, signal })).rejects.toBe(reason);
    await expect(openFrameRanges(input, { ...options, signal })).rejects.toBe(reason);
  });
});

describe.each([
  ['a stream', () => new PassThrough()],
  ['a generator', endlessWait],
])('standard input that is %s without bytes', (_, make) => {
  it('ends its wait with the reason of an abort, before and later', async () => {
    const aborted = AbortSignal.abort(reason);
    await expect(openFrameSource('-', { stdin: make(), signal: aborted })).rejects.toBe(reason);
    const stop = new AbortController();
    const opening = openFrameSource('-', { stdin: make(), signal: stop.signal });
    await new Promise(resolve => setImmediate(resolve));
    stop.abort(reason);
    await expect(opening).rejects.toBe(reason);
  });
});

describe.each(Object.entries(INPUTS))('the frames of %s', (_, [input, options]) => {
  it('can be read once, and not once it is closed', async () => {
    const source = await openFrameSource(input, options);
    expect(await allFrames(source)).toHaveLength(COUNT);
    const again = new InputError(`${input} has been read: open it again`);
    await expect(allFrames({ frames: () => source.frames() })).rejects.toEqual(again);
    await source.close();
    const closed = await openFrameSource(input, options);
    await closed.close();
    const late = new InputError(`${input} has been closed: open it again`);
    await expect(allFrames({ frames: () => closed.frames() })).rejects.toEqual(late);
    await expect(allFrames({ frames: () => closed.frames(AbortSignal.abort(reason)) })).rejects.toBe(reason);
  });

  it('are let go by an abort before the first one', async () => {
    const source = await openFrameSource(input, options);
    await expect(allFrames({ frames: () => source.frames(AbortSignal.abort(reason)) })).rejects.toBe(reason);
    await expectClosed(input);
  });
});

it.each([
  [{ frame: -1 }, 'start.frame -1 is not legal; legal: a whole number of 0 or more'],
  [{ frame: 1.5 }, 'start.frame 1.5 is not legal; legal: a whole number of 0 or more'],
  [{ frame: '2' }, "start.frame '2' is not legal; legal: a whole number of 0 or more"],
  [{ frame: 2, seconds: Number.NaN }, 'start.seconds NaN is not legal; legal: a number of 0 or more'],
  [null, 'start null is not legal; legal: as { frame: 12 }'],
])('a start of %o is refused, whatever the input is', async (start, message) => {
  for (const [input, options] of Object.values(INPUTS)) {
    const error: unknown = await openFrameSource(input, { ...options, start: start as FrameStart }).catch(r => r);
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ message, option: 'start' });
  }
});
