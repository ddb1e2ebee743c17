// Tests of videos that end early or are damaged: what ffmpeg says of them counts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { DamagedInput } from '../../../src/media/frames/damaged-input.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { everyFfmpeg } from '../../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();
const FRAMES = 24;

/** Every kind is made from the same clip. */
const clip = join(folder, 'clip.nut');
const picture = 'testsrc2=size=96x64:rate=24';
runPackagedFfmpeg('-f', 'lavfi', '-i', picture, '-frames:v', String(FRAMES), '-c:v', 'ffv1', clip);

const MPEG = ['-c:v', 'mpeg1video', '-g', '8'];
const H264 = ['-c:v', 'libx264', '-g', '8'];
const KINDS: readonly (readonly [name: string, ...coding: string[]])[] = [
  ['plain.mkv', ...H264],
  ['lossless.mkv', '-c:v', 'ffv1'],
  ['web.webm', '-c:v', 'libvpx'],
  ['faststart.mp4', ...H264, '-movflags', '+faststart'],
  ['plain.avi', '-c:v', 'mpeg4'],
  ['plain.flv', ...H264],
  ['plain.mpg', ...MPEG],
  ['plain.ts', ...MPEG],
  ['plain.m1v', ...MPEG],
];
for (const [name, ...coding] of KINDS) runPackagedFfmpeg('-i', clip, ...coding, join(folder, name));
runPackagedFfmpeg('-i', clip, ...H264, join(folder, 'moov-last.mp4'));

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Reads a file to its end. Returns its frames, as counted before and as read, and the error in place of its end. */
async function readAll(path: string, options = {}) {
  let frames = 0;
  let counted: number | undefined;
  try {
    const source = await openFrameSource(path, options);
    counted = source.frameCount;
    for await (const _ of source.frames()) frames++;
    return { frames, counted, error: undefined };
  } catch (error) {
    return { frames, counted, error };
  }
}

function writeVariant(name: string, bytes: Uint8Array): string {
  const path = join(folder, `variant-${name}`);
  writeFileSync(path, bytes);
  return path;
}

/** Expects that a file cut after `part` of its bytes gives its frames, and then the error. */
async function expectDamage(name: string, part: number): Promise<void> {
  const whole = readFileSync(join(folder, name));
  const path = writeVariant(name, whole.subarray(0, Math.floor(part * whole.length)));
  const { frames, error } = await readAll(path);
  expect(error).toBeInstanceOf(DamagedInput);
  expect((error as Error).message).toMatch(/^\S+ is damaged or ends early: \S.* \(after \d+ pictures?\)$/);
  expect((error as Error).message.startsWith(path)).toBe(true);
  expect((error as Error).message).toContain(`after ${frames} picture`);
  expect(frames).toBeGreaterThan(part * FRAMES * 0.5);
  expect(frames).toBeLessThanOrEqual(FRAMES);
}

const ffmpegs = everyFfmpeg();

it.each(KINDS.map(([name]) => name))('%s says that it was cut, after the frames that it has', async name => {
  vi.stubEnv('FFMPEG_PATH', ffmpegs[0].path);
  // An elementary stream says no duration, and that of FLV has the time before the first picture, too.
  const counted = name === 'plain.m1v' ? undefined : name === 'plain.flv' ? FRAMES + 2 : FRAMES;
  expect(await readAll(join(folder, name))).toEqual({ frames: FRAMES, counted, error: undefined });
  for (const part of [0.53, 0.81]) await expectDamage(name, part);
});

it.each(ffmpegs)('a cut is found with the $name, as is garbage in the middle', async ({ path: ffmpegPath }) => {
  vi.stubEnv('FFMPEG_PATH', ffmpegPath);
  await expectDamage('plain.mkv', 0.5);
  await expectDamage('faststart.mp4', 0.5);
  const bytes = readFileSync(join(folder, 'plain.mpg'));
  const middle = bytes.length >> 1;
  for (let i = 0; i < 300; i++) bytes[middle + i] = (i * 197) & 255;
  const { frames, error } = await readAll(writeVariant('garbage.mpg', bytes));
  expect(error).toBeInstanceOf(DamagedInput);
  expect(frames).toBeGreaterThan(FRAMES / 2);
});

it('a cut is nothing to whoever reads no further than to it', async () => {
  vi.stubEnv('FFMPEG_PATH', ffmpegs[0].path);
  for (const name of ['plain.avi', 'plain.ts']) {
    const bytes = readFileSync(join(folder, name));
    const path = writeVariant(name, bytes.subarray(0, 0.8 * bytes.length));
    expect(await readAll(path, { frames: 3 })).toEqual({ frames: 3, counted: 3, error: undefined });
  }
});

it.each(ffmpegs)('an .mkv whose first time stamp is 3 s is whole, by the $name', async ({ path: ffmpegPath }) => {
  vi.stubEnv('FFMPEG_PATH', ffmpegPath);
  const path = join(folder, 'later.mkv');
  runPackagedFfmpeg('-itsoffset', '3', '-i', clip, '-c:v', 'mpeg4', path);
  expect(await readAll(path)).toEqual({ frames: FRAMES, counted: FRAMES, error: undefined });
});

it('an mp4 that ends before its index cannot be read at all', async () => {
  vi.stubEnv('FFMPEG_PATH', ffmpegs[0].path);
  const whole = readFileSync(join(folder, 'moov-last.mp4'));
  const path = writeVariant('moov-last.mp4', whole.subarray(0, whole.length >> 1));
  await expect(openFrameSource(path)).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringMatching(/: its index is missing: .* \(ffmpeg: moov atom not found\)$/),
  });
});
