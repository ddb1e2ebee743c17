// Tests of reading raw video.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { allFrames, i420Of, patternFrame } from '../test-frames.js';
import { expectClosed } from './open-files.js';

const folder = temporaryFolder();
const size = { width: 5, height: 3 };
const frames = Array.from({ length: 4 }, (_, i) => patternFrame(size.width, size.height, i));
const path = join(folder, 'clip.yuv');
writeFileSync(path, Buffer.concat(frames.map(i420Of)));

it('reads frame after frame', async () => {
  const frameRate = { numerator: 50, denominator: 1 };
  const source = await openFrameSource(path, { size, frameRate });
  expect(source).toMatchObject({ ...size, frameRate, frameCount: 4, name: path });
  expectSameFrames(await allFrames(source), frames);
});

it('reads frames larger than a block of the file', async () => {
  const large = patternFrame(1500, 1101, 7);
  const largePath = join(folder, 'LARGE.YUV');
  writeFileSync(largePath, Buffer.concat([i420Of(large), i420Of(large)]));
  const source = await openFrameSource(largePath, { size: { width: 1500, height: 1101 }, frames: 2 });
  expectSameFrames(await allFrames(source), [large, large]);
});

it('stops at an abort, with its reason', async () => {
  const reason = new Error('enough');
  const source = await openFrameSource(path, { size });
  await expect(allFrames({ frames: () => source.frames(AbortSignal.abort(reason)) })).rejects.toBe(reason);
});

it.each([
  ['no size', {}, 'OptionError', `${path} is raw video, which does not say its size: give it with size, as in 352x288`],
  [
    'an unknown option',
    { sise: size } as object,
    'OptionError',
    "the option 'sise' does not exist; did you mean size?",
  ],
  ['half a pel', { size: { width: 2.5, height: 3 } }, 'OptionError', 'size 2.5x3 is not a pair of whole numbers'],
  [
    'a wrong size',
    { size: { width: 6, height: 3 } },
    'InputError',
    `${path} has 108 bytes, which is not a whole number of 6x3 4:2:0 frames of 30 bytes (3 and 18 bytes)`,
  ],
  [
    'too large a size',
    { size: { width: 4096, height: 3 } },
    'InputError',
    `${path} is 4096x3; MPEG-1 pictures are 1x1 to 4095x2800 pels`,
  ],
  ['no width', { size: { width: 0, height: 3 } }, 'InputError', `${path} is 0x3; MPEG-1 pictures`],
])('refuses %s', async (_, options, name, message) => {
  await expect(openFrameSource(path, options)).rejects.toMatchObject({
    name,
    message: expect.stringContaining(message),
  });
  await expectClosed(path);
});

it('reads a pipe, from any frame on', async () => {
  for (const frame of [0, 2]) {
    const pipe = join(folder, `pipe-${frame}.yuv`);
    execFileSync('mkfifo', [pipe]);
    const writing = writeFile(pipe, readFileSync(path));
    const source = await openFrameSource(pipe, { size, start: { frame } });
    expect(source.frameCount).toBeUndefined();
    expectSameFrames(await allFrames(source), frames.slice(frame));
    await writing;
  }
});

it('refuses an empty file', async () => {
  const empty = join(folder, 'empty.yuv');
  writeFileSync(empty, '');
  await expect(openFrameSource(empty, { size })).rejects.toThrow(`${empty} is empty: it holds no frames`);
});
