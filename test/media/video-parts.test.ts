// Parts of videos, of files and of pipes: from any frame on, and so many frames.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FrameSourceOptions } from '../../src/media/frames/frame-source.js';
import { openFrameSource } from '../../src/media/frames/open-frame-source.js';
import type { Frame } from '../../src/picture/frame.js';
import { expectSameFrames } from '../support/compare-frames.js';
import { framesFromY4m, packagedFfmpeg } from '../support/decoders.js';
import { makeTestStream, readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { allFrames } from './test-frames.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg();
const FRAMES = 12;
const { original } = makeTestStream(folder, { width: 64, height: 48, frames: FRAMES });
const originals = framesFromY4m(readFileSync(original));
const lossless = join(folder, 'clip.mkv');
runPackagedFfmpeg('-i', original, '-c:v', 'ffv1', '-g', '1', lossless);
/** y4m whose name does not say it. */
const unnamed = join(folder, 'clip.film');
copyFileSync(original, unnamed);

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Puts an ffmpeg before the others that there are. Returns its path. */
function preferFfmpeg(name: string, script: string): string {
  const bin = join(folder, name);
  mkdirSync(bin);
  writeFileSync(join(bin, 'ffmpeg'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('FFMPEG_PATH', '');
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  return join(bin, 'ffmpeg');
}

/** Opens the bytes of a file through a named pipe. */
function openPipe(file: string, options: FrameSourceOptions) {
  const pipe = join(folder, 'pipe');
  execFileSync('/bin/sh', ['-c', 'rm -f "$0" && mkfifo "$0"', pipe]);
  const opening = openFrameSource(pipe, options);
  writeFile(pipe, readFileSync(file)).catch(() => {}); // its reader may leave
  return opening;
}

describe.each([
  ['video', lossless],
  ['y4m', unnamed],
])('a part of a %s', (_, path) => {
  /** At the time of frame 5, as `FrameRanges` asks for it. */
  const part = { start: { frame: 5, seconds: 4.75 / 25 }, frames: 3 };

  it('has the frames that were asked for, and counts them', async () => {
    const source = await openFrameSource(path, part);
    expect(source.frameCount).toBe(3);
    expectSameFrames(await allFrames(source), originals.slice(5, 8));
  });

  it('goes to the end, and counts what is left', async () => {
    const source = await openFrameSource(path, { start: part.start });
    expect(source.frameCount).toBe(FRAMES - 5);
    expectSameFrames(await allFrames(source), originals.slice(5));
  });

  it.runIf(process.platform !== 'win32')('is found in a pipe, too, which cannot be searched', async () => {
    const source = await openPipe(path, part);
    expect(source.seeksRoughly ?? false).toBe(false);
    expectSameFrames(await allFrames(source), originals.slice(5, 8));
  });
});

it('a video at another rate is not searched: its frames are counted', async () => {
  const options = { frameRate: { numerator: 20, denominator: 1 } };
  const all = await allFrames(await openFrameSource(lossless, options));
  const source = await openFrameSource(lossless, { ...options, start: { frame: 3, seconds: 2.75 / 20 } });
  expect(source.seeksRoughly).toBe(false);
  expectSameFrames(await allFrames(source), all.slice(3));
});

it('the pictures of a video of more than an hour are counted', async () => {
  const hour = join(folder, 'hour.mp4');
  const picture = ['-f', 'lavfi', '-i', 'color=gray:size=16x16:rate=7/600', '-frames:v', '45'];
  runPackagedFfmpeg(...picture, '-c:v', 'mpeg4', hour); // 1:04:17.14, which is 44.99997 pictures
  const source = await openFrameSource(hour);
  expect(source.frameCount).toBe(45);
  expect(await allFrames(source)).toHaveLength(45);
});

it('pictures of more pels than memory may be used for are refused', async () => {
  const large = join(folder, 'large.avi');
  runPackagedFfmpeg('-i', original, '-frames:v', '1', '-c:v', 'rawvideo', large);
  const bytes = readFileSync(large);
  const header = bytes.indexOf('strf') + 8;
  for (const at of [header + 4, header + 8]) bytes.writeUInt32LE(10_000, at); // width, height
  writeFileSync(large, bytes);
  const scale = { width: 16, height: 16 };
  await expect(openFrameSource(large, { scale })).rejects.toThrow(
    `${large}: its pictures are too large (ffmpeg: Picture size 10000x10000 exceeds`,
  );
});

describe.runIf(process.platform !== 'win32')('a video in a pipe', () => {
  it('may be read at another rate', async () => {
    const frames = await allFrames(await openPipe(lossless, { frameRate: { numerator: 5, denominator: 1 } }));
    expect(Math.abs(frames.length - FRAMES / 5)).toBeLessThan(2);
  });

  it('is not given to another ffmpeg, for whom it would lack its start', async () => {
    const broken = preferFfmpeg('broken', 'exit 127');
    const onWarning = vi.fn();
    await expect(openPipe(lossless, { onWarning })).rejects.toThrow(`${broken} does not run`);
    expect(onWarning).not.toHaveBeenCalled();
  });
});

it.runIf(process.platform !== 'win32').each([
  ['a video', lossless, {}, ' (after 12 pictures)'],
  ['y4m that is changed', original, { crop: { width: 16, height: 16, x: 0, y: 0 } }, ''],
])('a failure of ffmpeg is told after all pictures of %s', async (_, path, options, after) => {
  const run = `${packagedFfmpeg()} "$@"`;
  preferFfmpeg(`failing${after.length}`, `case "$*" in *"-i "*) ${run}; exit 1;; esac; exec ${run}`);
  const frames: Frame[] = [];
  const reading = (async () => {
    for await (const frame of (await openFrameSource(path, options)).frames()) frames.push(frame);
  })();
  await expect(reading).rejects.toThrow(`${path}: ffmpeg ended with status 1, and gave no reason${after}`);
  expect(frames).toHaveLength(FRAMES);
});

it.runIf(process.platform !== 'win32')('what ffmpeg says is told where it gives no picture', async () => {
  preferFfmpeg('poor', 'echo "[error] Cannot allocate memory" >&2; exit 1');
  const opening = openFrameSource(original, { scale: { width: 16, height: 16 } });
  await expect(opening).rejects.toThrow(`${original}: there is not enough memory`);
});

it.runIf(process.platform !== 'win32')('another ffmpeg is asked anew for what the first one lacks', async () => {
  preferFfmpeg('small', 'echo "[error] Requested output format \'yuv4mpegpipe\' is not known." >&2; exit 1');
  const onWarning = vi.fn();
  expectSameFrames(await allFrames(await openFrameSource(lossless, { onWarning })), originals);
  expect(onWarning.mock.calls).toEqual([[expect.stringMatching(/this ffmpeg lacks a part .* is used instead$/)]]);
});

it.runIf(process.platform !== 'win32')('a fault that no ffmpeg lacks a part for is told at once', async () => {
  const text = join(folder, 'text.mkv');
  writeFileSync(text, 'no video\n'.repeat(50));
  preferFfmpeg('whole', `exec ${packagedFfmpeg()} "$@"`);
  const onWarning = vi.fn();
  await expect(openFrameSource(text, { onWarning })).rejects.toThrow('it is text, no video');
  expect(onWarning).not.toHaveBeenCalled();
});
