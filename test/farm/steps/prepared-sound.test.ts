// The sound of a job: as much of it as the pictures need, coded as it was asked for, and told while it is coded.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChunkPlan } from '../../../src/chunks/chunk-plan.js';
import type { RequestedSound } from '../../../src/farm/jobs/farm-request.js';
import { openPreparedSound, prepareSound } from '../../../src/farm/steps/prepared-sound.js';
import { StepContext } from '../../../src/farm/steps/step-context.js';
import { soundSeconds } from '../../../src/media/sound/open-sound.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';

const root = temporaryFolder();
readWithPackagedFfmpeg();
const frames: number[] = [];
const warnings: string[] = [];
const context = new StepContext(
  { roots: { file: root }, scratch: join(root, 'scratch') },
  { onProgress: progress => void frames.push(progress.frames), onWarning: warning => void warnings.push(warning) },
);
const places = { input: 'file:film.y4m', output: 'file:out.mpg', store: 'file:store' };
const given = { ...places, reading: {}, options: {}, overwrite: true };

beforeAll(() => {
  const tone = ['-f', 'lavfi', '-i', 'sine=r=44100:d=60', '-map', '0', '-map', '0', '-c:a', 'flac'];
  runPackagedFfmpeg(...tone, join(root, 'tones.mka'));
});
afterAll(() => context.close());

/** Prepares the sound of a film of so many seconds, 30000/1001 pictures each. Returns its name. */
async function prepare(sound: RequestedSound, seconds: number, target?: 'vcd'): Promise<string | undefined> {
  const frameRate = { numerator: 30_000, denominator: 1001 };
  const input = { frames: Math.round((seconds * 30_000) / 1001), frameRate };
  const plan = { input, options: { ...(target && { target }) } } as ChunkPlan;
  const soundOf = { request: { ...given, sound }, plan, soundTracks: 0, outputName: 'out.mpg' };
  return prepareSound(soundOf, context, await context.places.store(places.store));
}

/** The sound under a name, and how long it is. */
async function kept(name: string): Promise<object> {
  const { format, frames: coded } = await openPreparedSound(name, await context.places.store(places.store));
  let count = 0;
  for await (const _ of coded) count++;
  return { ...format, seconds: soundSeconds(count, format) };
}

it('is a second longer than the pictures, and has the rate that is asked for', async () => {
  const name = await prepare({ audio: 'file:tones.mka', bitRate: 64_000 }, 30);
  expect(name).toMatch(/^sound\/[0-9a-f]{64}\.mp2$/);
  expect(await kept(name!)).toEqual({
    sampleRate: 44_100,
    channels: 1,
    bitRate: 64_000,
    seconds: expect.closeTo(31, 1),
  });
  expect(frames).toEqual([899]); // once for 1000 frames of sound: a step that says nothing is ended
  expect(warnings).toEqual([expect.stringMatching(/tones\.mka has 2 sound tracks/)]);
});

it('is that of a Video CD, by its target', async () => {
  const name = await prepare({ audio: 'file:tones.mka' }, 0.2, 'vcd');
  expect(await kept(name!)).toMatchObject({ sampleRate: 44_100, channels: 2, bitRate: 224_000 });
});

it('is not there where there is none, and its absence from the store is said', async () => {
  expect([await prepare({ audio: 'auto' }, 1), await prepare({ audio: 'none' }, 1)]).toEqual([undefined, undefined]);
  await expect(kept('sound/gone.mp2')).rejects.toThrow(
    'the sound sound/gone.mp2 is not in the store: submit the job again',
  );
});
