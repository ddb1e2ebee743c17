// What openFrameSource keeps to whatever the input is: its signal, its start, and one reading of its frames.
import { getEventListeners } from 'node:events';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { InputError, OptionError } from '../../../src/errors.js';
import { openFrameRanges } from '../../../src/media/frames/frame-ranges.js';
import type { FrameSourceOptions, FrameStart } from '../../../src/media/frames/frame-source.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { allFrames } from '../test-frames.js';
import { INPUT_SIZE, writeInputs } from './input-files.js';
import { expectClosed } from './open-files.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg(); // what is kept to here is the reader's; video-file.test.ts reads with either
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

it('refuses a stream as standard input that something else reads', async () => {
  const stdin = new ReadableStream<Uint8Array>();
  stdin.getReader();
  const refused = expect.objectContaining({ name: 'InputError', message: 'stdin is locked: something else reads it' });
  await expect(openFrameSource('-', { stdin })).rejects.toEqual(refused);
});

describe.each([
  ['a stream', () => new PassThrough()],
  ['a generator', endlessWait],
])('standard input that is %s without bytes', (_, make) => {
  it('ends its wait with the reason of an abort, before and later', async () => {
    const aborted = AbortSignal.abort(reason);
    await expect(openFrameSource('-', { stdin: make(), signal: aborted })).rejects.toBe(reason);
    const stop = new AbortController();
    const stdin = make();
    const opening = openFrameSource('-', { stdin, signal: stop.signal });
    await new Promise(resolve => setImmediate(resolve));
    stop.abort(reason);
    await expect(opening).rejects.toBe(reason);
    if (stdin instanceof PassThrough) expect(stdin.destroyed).toBe(true);
  });
});

describe.each(Object.entries(INPUTS))('the frames of %s', (_, [input, options]) => {
  it('can be read once, and not once it is closed', async () => {
    const source = await openFrameSource(input, options);
    await expect(allFrames({ frames: () => source.frames({} as never) })).rejects.toThrow(
      'signal {} is not an AbortSignal',
    );
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

const COUNTED = Object.entries(INPUTS).filter(([name]) => name !== 'a video');
it.each(COUNTED)('a start after the last frame of %s is refused, deinterlaced or not', async (_, [input, options]) => {
  const error = new InputError(`${input} has ${COUNT} frames, so there is no frame ${COUNT} (the first is 0)`);
  for (const deinterlace of [false, true]) {
    const opening = openFrameSource(input, { ...options, deinterlace, start: { frame: COUNT } });
    await expect(opening).rejects.toEqual(error);
  }
  await expectClosed(input);
});

it('what is open already is closed again when an abort ends the opening', async () => {
  const path = join(folder, 'interlaced.y4m');
  writeFileSync(path, Buffer.concat([Buffer.from('YUV4MPEG2 W4 H4 F25:1 It\nFRAME\n'), Buffer.alloc(24)]));
  const stop = new AbortController();
  const onWarning = () => stop.abort(reason); // the header has been read
  await expect(openFrameSource(path, { signal: stop.signal, onWarning })).rejects.toBe(reason);
  await expectClosed(path);
});

it.each([
  ...Object.values(INPUTS),
  [video, { frameRate: { numerator: 249, denominator: 10 } }] as const, // ffmpeg is started twice
  [y4m, { crop: { width: 16, height: 16, x: 0, y: 0 } }] as const,
  ['-', {}] as const,
])('nothing of %s stays with signals that outlive it: %o', async (input, options) => {
  const [opening, reading] = [new AbortController().signal, new AbortController().signal];
  const source = await openFrameSource(input, { ...options, signal: opening, stdin: createReadStream(y4m) });
  expect(await allFrames({ frames: () => source.frames(reading) })).toHaveLength(COUNT);
  expect(getEventListeners(opening, 'abort')).toEqual([]);
  expect(getEventListeners(reading, 'abort')).toEqual([]);
});

it.each([
  [{ frame: -1 }, 'start.frame -1 is not legal; legal: a whole number of 0 or more'],
  [{ frame: 1.5 }, 'start.frame 1.5 is not legal; legal: a whole number of 0 or more'],
  [{ frame: '2' }, "start.frame '2' is not legal; legal: a whole number of 0 or more"],
  [{ frame: 2, seconds: Number.NaN }, 'start.seconds NaN is not legal; legal: a number of 0 or more'],
  [{ frame: 2, seconds: -0.5 }, 'start.seconds -0.5 is not legal; legal: a number of 0 or more'],
  [null, 'start null is not legal; legal: as { frame: 12 }'],
])('a start of %o is refused, whatever the input is', async (start, message) => {
  for (const [input, options] of Object.values(INPUTS)) {
    const error: unknown = await openFrameSource(input, { ...options, start: start as FrameStart }).catch(r => r);
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ message, option: 'start' });
  }
});

it.each([
  [{ signal: new AbortController() }, 'is not an AbortSignal'],
  [{ onWarning: 'log' }, "onWarning 'log' is not a function"],
  [{ deinterlace: 'no' }, "deinterlace 'no' is not true or false"],
  [{ toBt601: 1 }, 'toBt601 1 is not true or false'],
  [{ damage: 'eror' }, "damage 'eror' does not exist; legal: error, warn"],
])('refuses %o by its name', async (given, message) => {
  const error: unknown = await openFrameSource(y4m, given as FrameSourceOptions).catch(reason => reason);
  expect(error).toBeInstanceOf(OptionError);
  expect(error).toMatchObject({ message: expect.stringContaining(message), option: Object.keys(given)[0] });
});
