// Every rate mode codes black lead-ins, title cards, fades, flashes and frequent cuts, and keeps to its buffer.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import type { Frame } from '../../../src/picture/frame.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg } from '../../support/decoders.js';
import { encodeFrames } from '../../support/encode.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { fadedToBlack, repeated, uniformFrame } from '../../support/uniform-frames.js';
import { verifyVbv } from '../../support/vbv-verifier.js';

const folder = temporaryFolder();
const SIZE = { width: 64, height: 48 };
const BLACK = uniformFrame(SIZE, 16);
const WHITE = uniformFrame(SIZE, 235);
const RED = uniformFrame(SIZE, 100, 90, 200);
const BLUE = uniformFrame(SIZE, 100, 200, 90);

/** Black, a scene that fades in and has a flash, uniform pictures of two colours but one luma, and black again. */
function film(): Frame[] {
  const scene = [...generateSample({ kind: 'zoom', ...SIZE, frames: 20, seed: 4 })];
  const fadingIn = scene.map((frame, i) => fadedToBlack(frame, Math.max(0, 1 - i / 8)));
  fadingIn.fill(WHITE, 13, 15);
  return [...repeated(BLACK, 10), ...fadingIn, ...repeated(RED, 5), ...repeated(BLUE, 5), ...repeated(BLACK, 8)];
}

async function expectSound(frames: readonly Frame[], options: Partial<EncoderOptions>, size = SIZE) {
  const encoded = await encodeFrames(frames, { ...size, preset: 'balanced', estimator: 'cpu-predictive', ...options });
  if (options.cbr || options.maxrate || options.target === 'vcd') {
    expect(verifyVbv(encoded.stream).violations).toEqual([]);
  }
  const path = join(folder, 'film.m1v');
  writeFileSync(path, encoded.stream);
  expectSameFrames(await decodeWithFfmpeg(path), encoded.reconstruction, 'film');
  return encoded;
}

describe('a film with black and uniform pictures', () => {
  const frames = film();
  it.each<Partial<EncoderOptions>>([
    { q: 4 },
    { quality: 60 },
    { bitrate: 60_000 },
    { bitrate: 20_000, cbr: true },
    { bitrate: 1_000_000, cbr: true },
    { bitrate: 20_000, maxrate: 25_000, vbvBytes: 2048 },
    { bitrate: 60_000, target: 'jsmpeg' },
  ])('is coded with %o', async options => {
    const { reports, passStatistics } = await expectSound(frames, options);
    // The groups of 12 pictures at most, the first picture of the scene, and the uniform pictures.
    expect(reports.filter(({ type }) => type === 'I').length).toBeLessThan(10);
    if (options.bitrate) await expectSound(frames, { ...options, firstPass: passStatistics });
  });

  it('is coded for Video CD', async () => {
    const size = { width: 352, height: 240 };
    const [black, white] = [uniformFrame(size, 16), uniformFrame(size, 235)];
    const { reports } = await expectSound(
      [...repeated(black, 6), ...repeated(white, 2), ...repeated(black, 4)],
      { target: 'vcd', frameRate: 29.97 },
      size,
    );
    expect(reports.filter(({ type }) => type === 'I').length).toBe(1);
  });

  it('takes no more bits in black than a fixed pattern does', async () => {
    const bits = async (adaptiveTypes: boolean) => {
      const { statistics } = await encodeFrames(repeated(BLACK, 24), { ...SIZE, q: 4, adaptiveTypes, gop: 24 });
      return statistics.bits;
    };
    expect(await bits(true)).toBeLessThanOrEqual(await bits(false));
  });

  it('blurs no picture to keep to the rate after black', async () => {
    const scene = generateSample({ kind: 'pan', ...SIZE, frames: 24, seed: 4 });
    const { reports, statistics } = await expectSound([...repeated(BLACK, 12), ...scene], { bitrate: 60_000 });
    expect((statistics.bits * 25) / 36).toBeLessThan(1.03 * 60_000);
    expect(Math.min(...reports.map(({ psnrY }) => psnrY))).toBeGreaterThan(38);
  });
});

it.each([
  { bitrate: 14_000, cbr: true, gop: 40 },
  { bitrate: 26_000, maxrate: 26_000, gop: 12, bFrames: 0 },
  { bitrate: 10_000, cbr: true, gop: 100, bFrames: 3 },
])('cuts every other picture are coded with %o', async options => {
  const size = { width: 96, height: 80 };
  const slides = generateSample({ kind: 'noise', ...size, frames: 40, seed: 1 });
  await expectSound(
    [...slides].flatMap(frame => [frame, frame]),
    options,
    size,
  );
});
