// What openSound makes of its options.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSound } from '../../../src/media/sound/open-sound.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();
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

it('is read to its end without an abort', async () => {
  const { signal } = new AbortController();
  const sound = await openSound(path, { signal });
  let frames = 0;
  for await (const _ of sound!.frames) frames++;
  expect(Math.abs(frames - ALL)).toBeLessThan(3);
});
