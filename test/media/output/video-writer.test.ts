// What VideoWriter asks of its sound, of its file's name and of ffmpeg.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';
import { type VideoOptions, VideoWriter } from '../../../src/media/output/video-writer.js';
import { packagedFfmpeg } from '../../support/decoders.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { soundFrame } from '../containers/sound.js';

const folder = temporaryFolder();
const VIDEO = { width: 64, height: 48, frameRate: { numerator: 25, denominator: 1 } };
const FORMAT = { sampleRate: 48_000, channels: 2, bitRate: 192_000 } as const;
const UNIT: AccessUnit = { data: new Uint8Array(100), pictureType: 'I', displayNumber: 0, codedNumber: 0 };

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Sound without an end, and whether its source has been told that no more is wanted. */
function endlessSound() {
  const state = { isOpen: true };
  function* frames() {
    try {
      for (let i = 0; ; i++) yield soundFrame(FORMAT, i);
    } finally {
      state.isOpen = false;
    }
  }
  return { state, sound: { format: FORMAT, frames: frames() } };
}

it.each(['finish', 'discard', 'keepPartial'] as const)('%s tells the source of the sound to end', async end => {
  const { state, sound } = endlessSound();
  const writer = await VideoWriter.open(join(folder, `${end}.mpg`), VIDEO, { sound });
  await writer.write(UNIT);
  expect(state.isOpen).toBe(true);
  await writer[end]();
  expect(state.isOpen).toBe(false);
});

it.each(['.mpg', '.ts', '.avi'])('refuses in %s sound of another format than it was opened with', async extension => {
  const frames = [soundFrame({ ...FORMAT, bitRate: 128_000 }, 0)];
  const path = join(folder, `other${extension}`);
  const writer = await VideoWriter.open(path, VIDEO, { sound: { format: FORMAT, frames } });
  await expect(writer.write(UNIT)).rejects.toThrow(/frame 0 of the sound has bitRate 128000, not 192000/);
  await writer.discard();
  expect(readdirSync(folder).filter(name => name.includes('other'))).toEqual([]);
});

it.runIf(process.platform !== 'win32')('has no pipe for what ffmpeg copies', async () => {
  const path = join(folder, 'pipe.mp4');
  execFileSync('mkfifo', [path]);
  await expect(VideoWriter.open(path, VIDEO)).rejects.toThrow(
    /pipe\.mp4 is a device or pipe: use one of \.m1v, \.mpv,/,
  );
  expect(readdirSync(folder).filter(name => name.includes('pipe'))).toEqual(['pipe.mp4']);
});

it.runIf(existsSync('/bin/bash'))('a copy that fails is a fault of the output, told without hidden names', async () => {
  const script = join(folder, 'failing-ffmpeg');
  const fails = 'echo "[error] $last: the container refuses it" >&2; exit 1';
  const lines = ['#!/bin/bash', 'for last; do :; done', `case "$*" in *"-c copy"*) ${fails};; esac`];
  writeFileSync(script, [...lines, `exec ${packagedFfmpeg()} "$@"`, ''].join('\n'), { mode: 0o755 });
  vi.stubEnv('FFMPEG_PATH', script);
  const path = join(folder, 'full.mp4');
  const writer = await VideoWriter.open(path, VIDEO);
  await writer.write(UNIT);
  const error = (await writer.finish().catch((reason: Error) => reason)) as Error;
  expect(error).toMatchObject({
    name: 'OutputError',
    message: expect.stringMatching(/full\.mp4 cannot be written: [^\n]*full\.mp4: the container refuses it/),
  });
  expect(error.message).not.toContain('.mpegpu-');
  expect(readdirSync(folder).filter(name => name.includes('full'))).toEqual([]);
});

it.each([
  [{ signal: new AbortController() }, 'signal', 'is not an AbortSignal'],
  [{ overwrite: 'yes' }, 'overwrite', "overwrite 'yes' is not true or false"],
  [{ overwite: true }, 'overwite', "the option 'overwite' does not exist; did you mean overwrite?"],
  [{ onLeftover: 5 }, 'onLeftover', 'onLeftover 5 is not a function'],
  [{ sound: 'music.wav' }, 'sound', "sound 'music.wav' is not what openSound gives"],
  [{ sound: { frames: [] } }, 'sound', 'sound {"frames":[]} is not what openSound gives'],
  [{ sound: { format: {}, frames: 5 } }, 'sound', 'is not what openSound gives'],
  [{ sound: { format: {}, frames: 'music.mp2' } }, 'sound', 'is not what openSound gives'],
  [{ isLive: 'no' }, 'isLive', "isLive 'no' is not true or false"],
  [null, 'options', 'the options are null, not an object'],
])('refuses %o by its name, and leaves no file', async (options, option, message) => {
  const before = readdirSync(folder);
  const opening = VideoWriter.open(join(folder, 'wrong.mpg'), VIDEO, options as VideoOptions);
  await expect(opening).rejects.toMatchObject({
    name: 'OptionError',
    option,
    message: expect.stringContaining(message),
  });
  expect(readdirSync(folder)).toEqual(before);
});
