// Pipes whose bytes stop coming: whoever gives up leaves no ffmpeg behind, and no open pipe.
import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FrameSourceOptions } from '../../src/media/frames/frame-source.js';
import { openVideoFile } from '../../src/media/frames/video-file.js';
import { openY4mFile } from '../../src/media/frames/y4m/y4m-source.js';
import { makeTestStream, readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { expectClosed } from './frames/open-files.js';
import { livingFfmpegs } from './living-ffmpegs.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg();
const { original } = makeTestStream(folder, { width: 64, height: 48, frames: 12 });
const video = join(folder, 'clip.mkv');
runPackagedFfmpeg('-i', original, '-c:v', 'ffv1', video);
const pipe = join(folder, 'pipe');
/** What ffmpeg does to y4m. */
const CHANGE = { crop: { width: 16, height: 16, x: 0, y: 0 } };
const reason = new Error('enough');

let writer: FileHandle | undefined;

/** Opens a pipe that gives the first bytes of a file, and stays open. */
async function openStalled(file: string, bytes: number, options: FrameSourceOptions = {}, openIt = openVideoFile) {
  execFileSync('/bin/sh', ['-c', 'rm -f "$0" && mkfifo "$0"', pipe]);
  const opening = openIt(pipe, options); // openFrameSource does not wait for the end of an aborted one
  writer = await open(pipe, 'w');
  await writer.write(readFileSync(file), 0, bytes);
  return { opening };
}

afterEach(async () => {
  await writer?.close();
});

async function expectNothingLeft(): Promise<void> {
  // A process that is killed is gone a moment later.
  await vi.waitFor(() => expect(livingFfmpegs()).toEqual([]), 10_000);
  await writer?.close();
  writer = undefined;
  await expectClosed(pipe);
}

describe.runIf(process.platform === 'linux')('where the bytes of a pipe stop coming', () => {
  it.each([
    ['a video', 'before ffmpeg runs', video, {}],
    ['a video', 'later', video, {}],
    ['y4m that is changed', 'before ffmpeg runs', original, CHANGE],
    ['y4m that is changed', 'later', original, CHANGE],
  ])('an abort ends the opening of %s, %s', async (_, moment, file, options) => {
    const abort = new AbortController();
    const { opening } = await openStalled(file, 300, { ...options, signal: abort.signal });
    if (moment === 'later') await vi.waitFor(() => expect(livingFfmpegs()).toHaveLength(1), 60_000);
    abort.abort(reason);
    await expect(opening).rejects.toBe(reason);
    await expectNothingLeft();
  });

  it.each([
    ['a video', openVideoFile],
    ['y4m', openY4mFile],
  ])('an abort ends the opening of %s that has no bytes yet', async (_, openIt) => {
    const abort = new AbortController();
    const { opening } = await openStalled(original, 3, { signal: abort.signal }, openIt);
    abort.abort(reason);
    await expect(opening).rejects.toBe(reason);
    await expectNothingLeft();
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });

  it('frames that are changed may be left, closed or aborted', async () => {
    for (const end of ['leave', 'close', 'abort']) {
      const source = await (await openStalled(original, 50_000, CHANGE)).opening;
      const abort = new AbortController();
      if (end === 'close') await source.close();
      else {
        const frames = source.frames(abort.signal)[Symbol.asyncIterator]();
        expect((await frames.next()).value.width).toBe(16);
        if (end === 'leave') await frames.return?.();
        else {
          abort.abort(reason);
          await expect(frames.next()).rejects.toBe(reason);
        }
      }
      await expectNothingLeft();
    }
  });
});
