// Parts of videos, of files and of pipes: from any frame on, and so many frames.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FrameSourceOptions } from '../../src/media/frames/frame-source.js';
import { openFrameSource } from '../../src/media/frames/open-frame-source.js';
import { expectSameFrames } from '../support/compare-frames.js';
import { framesFromY4m } from '../support/decoders.js';
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

describe.runIf(process.platform !== 'win32')('a video in a pipe', () => {
  it('may be read at another rate', async () => {
    const frames = await allFrames(await openPipe(lossless, { frameRate: { numerator: 5, denominator: 1 } }));
    expect(Math.abs(frames.length - FRAMES / 5)).toBeLessThan(2);
  });

  it('is not given to another ffmpeg, for whom it would lack its start', async () => {
    const bin = join(folder, 'broken');
    mkdirSync(bin);
    writeFileSync(join(bin, 'ffmpeg'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
    vi.stubEnv('FFMPEG_PATH', '');
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
    const onWarning = vi.fn();
    await expect(openPipe(lossless, { onWarning })).rejects.toThrow(`${join(bin, 'ffmpeg')} does not run`);
    expect(onWarning).not.toHaveBeenCalled();
  });
});
