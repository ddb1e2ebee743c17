// What openSound makes of its options: of signals, and of values that Layer II has not.
import { getEventListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { OptionError } from '../../../src/errors.js';
import { openSound, type SoundOptions } from '../../../src/media/sound/open-sound.js';
import { packagedFfmpeg } from '../../support/decoders.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg(); // heard-sound.test.ts reads with either
afterEach(() => void vi.unstubAllEnvs());
const path = join(folder, 'tone.wav');
/** More than what may wait between ffmpeg and its reader. */
const SECONDS = 100;
runPackagedFfmpeg('-f', 'lavfi', '-i', `sine=duration=${SECONDS}`, path);
const ALL = Math.ceil((SECONDS * 44_100) / 1152);

const stopped = new Error('not wanted any more');

it('rejects with the reason of a signal that is aborted already, or while the sound is opened', async () => {
  await expect(openSound(path, { signal: AbortSignal.abort(stopped) })).rejects.toBe(stopped);
  const stop = new AbortController();
  const opening = openSound(path, { signal: stop.signal });
  stop.abort(stopped);
  await expect(opening).rejects.toBe(stopped);
});

it('ends early, without an error, when its signal is aborted', async () => {
  const stop = new AbortController();
  const sound = await openSound(path, { signal: stop.signal });
  let frames = 0;
  for await (const _ of sound!.frames) if (++frames === 5) stop.abort(stopped);
  expect(frames).toBe(5);
  expect(sound!.goesOn).toBe(false);
});

it('may be left when its signal has been aborted', async () => {
  const stop = new AbortController();
  const sound = await openSound(path, { signal: stop.signal });
  for await (const _ of sound!.frames) {
    stop.abort(stopped);
    break;
  }
  await sound!.close();
});

it('may be left, which ends ffmpeg', async () => {
  const sound = (await openSound(path, { channels: 2, bitRate: 384_000 }))!; // more than all pipes hold
  for await (const _ of sound.frames) break;
  expect(sound.goesOn).toBe(true);
  await expect.poll(() => process.getActiveResourcesInfo(), { timeout: 60_000 }).not.toContain('ProcessWrap');
});

it.runIf(process.platform !== 'win32')(
  'is an error, not silence, where a track is there and ffmpeg fails',
  async () => {
    const ffmpeg = join(folder, 'ffmpeg');
    const fails = `echo '[error] no decoder found for: none' >&2; exit 1`;
    const script = `case "$*" in *-debug_ts*) exec '${packagedFfmpeg()}' "$@" ;; *) ${fails} ;; esac`;
    writeFileSync(ffmpeg, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    vi.stubEnv('FFMPEG_PATH', ffmpeg);
    await expect(openSound(path)).rejects.toThrow(`${path}: this ffmpeg cannot decode it`);
  },
);

it.runIf(process.platform !== 'win32').each([
  ['does not run', 'exit 127', `${folder}/ffmpeg does not run`],
  ['lacks a decoder', `echo '[error] no decoder found for: pcm' >&2; exit 1`, `${path}: this ffmpeg cannot decode it`],
])('is read by another ffmpeg where the preferred one %s, and says so', async (_, script, reason) => {
  writeFileSync(join(folder, 'ffmpeg'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('FFMPEG_PATH', '');
  vi.stubEnv('PATH', folder); // the other one is the packaged one
  const onWarning = vi.fn();
  const sound = await openSound(path, { onWarning });
  await sound?.close();
  expect(sound?.tracks).toBe(1);
  const told = new RegExp(`^${reason}.* \\(${folder}/ffmpeg\\); .*ffmpeg is used instead$`);
  expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(told));
});

it('may be left when it has been closed', async () => {
  const sound = (await openSound(path, { seconds: 0.1 }))!;
  for await (const _ of sound.frames) {
    await sound.close();
    break;
  }
  expect(sound.goesOn).toBe(false);
});

it('is read to its end without an abort', async () => {
  const { signal } = new AbortController();
  const sound = await openSound(path, { signal });
  let frames = 0;
  for await (const _ of sound!.frames) frames++;
  expect(Math.abs(frames - ALL)).toBeLessThan(3);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('gives no more of it than is asked for, and does not go on where four frames are left', async () => {
  vi.stubEnv('FFMPEG_PATH', ''); // the machine's own, which may hold back another number of them
  const read = async (wanted: number) => {
    const sound = (await openSound(path, { seconds: 1 }))!;
    let frames = 0;
    for await (const _ of sound.frames) if (++frames === wanted) break;
    return { frames, goesOn: sound.goesOn };
  };
  const { frames: all, goesOn } = await read(Number.POSITIVE_INFINITY);
  expect(goesOn).toBe(false);
  const inSecond = Math.ceil(44_100 / 1152);
  expect([inSecond, inSecond + 1]).toContain(all); // ffmpeg may add what its encoder holds back
  expect(await read(all - 4)).toEqual({ frames: all - 4, goesOn: false });
  expect(await read(all - 5)).toEqual({ frames: all - 5, goesOn: true });
});

it.each([
  [{ sampleRate: 22_050 }, 'sampleRate 22050 is not legal; legal: 32000, 44100, 48000'],
  [
    { bitRate: 5, channels: 2 },
    expect.stringMatching(/^bitRate 5 is not a rate of .* for two channels; legal: 64000, /),
  ],
  [{ channels: 3 }, 'channels 3 is not legal; legal: 1, 2'],
  [{ bitrate: 64_000 }, "the option 'bitrate' does not exist; did you mean bitRate?"],
  [{ signal: true }, 'signal true is not an AbortSignal'],
  [{ seconds: 0 }, 'seconds 0 is not legal; legal: a number above 0'],
  [{ seconds: Number.NaN }, 'seconds NaN is not legal; legal: a number above 0'],
  [{ seconds: '1' }, "seconds '1' is not legal; legal: a number above 0"],
])('refuses %o by its name', async (options: object, message) => {
  const error: unknown = await openSound(path, options as SoundOptions).catch(reason => reason);
  expect(error).toBeInstanceOf(OptionError);
  expect(error).toMatchObject({ message, option: Object.keys(options)[0] });
});
