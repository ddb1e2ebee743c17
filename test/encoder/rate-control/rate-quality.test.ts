// What a bit rate gives over the whole range of rates: the rate, the quality of its size, and steady scales.
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { qualityOfScale } from '../../../src/encoder/quantizer/constant-quality.js';
import type { Frame } from '../../../src/picture/frame.js';
import { readClip, readMiddle, realClips } from '../../support/clips.js';
import { type Encoded, encodeFrames } from '../../support/encode.js';
import { readWithPackagedFfmpeg } from '../../support/ffmpeg-clips.js';
import { noisyStill } from '../../support/noisy-pictures.js';
import { IS_SOAK } from '../../support/soak.js';

/** Deviations of the rate, and of PSNR-Y in dB from that of constant quality at the same size, that are allowed. */
const LIMITS = { one: { rate: 0.03, db: 0.4 }, two: { rate: 0.01, db: 0.2 } };
/** Generated clips are tiny, and their pictures little like those that the model was fitted to. */
const GENERATED_LIMITS = { one: { rate: 0.03, db: 0.7 }, two: { rate: 0.015, db: 0.4 } };
/**
 * The scales of neighbouring anchors, and of neighbouring B pictures, differ by at most this factor, but for the first
 * pictures, the last ones, which make up for what is left, and the nearly lossless.
 */
const MAX_STEP = 1.8;
const FIRST_PICTURES = 4;
const LAST_PICTURES = 4;
const NEARLY_LOSSLESS = 2.5;
/**
 * Base scales of the curve of constant quality, for every commit those around the rates; and where the rates lie
 * between the least and the most bits.
 */
const SCALES = IS_SOAK ? [1, 1.4, 2, 2.8, 4, 5.6, 8, 11, 15, 20, 25, 31] : [2, 4, 8, 16];
const PLACES = IS_SOAK ? [0.08, 0.22, 0.45, 0.65, 0.85] : [0.22, 0.5];
const SIZE = { width: 96, height: 80 };

/**
 * At two rates and at one. A few pictures where that is enough; more where scenes change in ways that a few do not make
 * up for. Of a zoom, whose pictures have 30 macroblocks that grow, the last ones decide whether it keeps its rate: two
 * passes of 64 miss 1 % now and then, those of 128 do not (docs/decisions/bit-rate.md).
 */
const generated = [
  { kind: 'zoom' as const, frames: 128, places: PLACES, scales: SCALES },
  { kind: 'cut' as const, frames: 24, places: PLACES, scales: SCALES },
  ...(['pan', 'snow', 'fade'] as const).map(kind => ({
    kind,
    frames: 64,
    places: IS_SOAK ? PLACES.slice(1) : [0.5],
    scales: IS_SOAK ? SCALES : [2, 4, 7, 12],
  })),
].map(({ kind, frames, ...ranges }) => ({
  ...ranges,
  name: `generated ${kind}`,
  limits: GENERATED_LIMITS,
  read: async () => [...generateSample({ kind, ...SIZE, frames, seed: 4 })],
}));
const real = realClips()
  .filter(({ name }) => (IS_SOAK ? /cif|foreman|basketball/ : /^(akiyo|coastguard)/).test(name))
  .map(({ name, path }) => ({
    name,
    limits: LIMITS,
    places: IS_SOAK ? PLACES : [0.4],
    scales: IS_SOAK ? SCALES : [4, 7, 12],
    read: () => (IS_SOAK ? readClip(path, 60) : readMiddle(path, 21, { width: 240, height: 192 })),
  }));

readWithPackagedFfmpeg();

describe.each([...generated, ...real])('rates of $name', ({ limits, places, scales, read }) => {
  let frames: Frame[] = [];
  let ends: [number, number] = [0, 0];
  let points: { bits: number; psnr: number }[] = [];

  async function encode(options: Partial<EncoderOptions>): Promise<Encoded> {
    const { width, height } = frames[0]!;
    return encodeFrames(frames, { width, height, preset: 'balanced', expectedFrames: frames.length, ...options });
  }

  beforeAll(async () => {
    frames = await read();
    const bitsOf = async (q: number) => (await encode({ q })).statistics.bits;
    ends = [await bitsOf(31), await bitsOf(1)];
    for (const scale of scales) {
      const { bits, psnr } = (await encode({ quality: qualityOfScale(scale) })).statistics;
      points.push({ bits, psnr: psnr.y });
    }
    points = points.sort((a, b) => a.bits - b.bits);
  });

  it.each(places)('%f of the way from the coarsest to the finest scale', async place => {
    const wantedBits = ends[0] * (ends[1] / ends[0]) ** place;
    const bitrate = Math.round((wantedBits * 25) / frames.length);
    const warnings: string[] = [];
    const once = await encode({ bitrate, onWarning: message => warnings.push(message) });
    const twice = await encode({
      bitrate,
      firstPass: once.passStatistics,
      onWarning: message => warnings.push(message),
    });
    for (const [{ statistics, passStatistics }, passes] of [
      [once, 'one'],
      [twice, 'two'],
    ] as const) {
      expect(Math.abs(statistics.bits / wantedBits - 1)).toBeLessThan(limits[passes].rate);
      expect(psnrAt(points, statistics.bits) - statistics.psnr.y).toBeLessThan(limits[passes].db);
      expect(largestStep(passStatistics)).toBeLessThan(MAX_STEP);
    }
    expect(warnings).toEqual([]);
  });
});

it('is kept to at the scale where noise falls to nothing', async () => {
  // Scale 9 takes 3.7 times the bits of scale 11. Budgets answer to pictures only 24 later.
  const frames = noisyStill(SIZE, 160, 18);
  const encode = (rate: Partial<EncoderOptions>) => encodeFrames(frames, { ...SIZE, preset: 'balanced', ...rate });
  const bitsOf = async (rate: Partial<EncoderOptions>) => (await encode(rate)).statistics.bits;
  const wantedBits = await bitsOf({ q: 9 });
  const bits = await bitsOf({ bitrate: Math.round((wantedBits * 25) / frames.length) });
  expect(Math.abs(bits / wantedBits - 1)).toBeLessThan(LIMITS.one.rate);
});

/** PSNR of constant quality at a size, between the nearest two points. */
function psnrAt(points: readonly { bits: number; psnr: number }[], bits: number): number {
  const above = Math.max(
    1,
    Math.min(
      points.length - 1,
      points.findIndex(point => point.bits >= bits),
    ),
  );
  const [low, high] = [points[above - 1]!, points[above]!];
  const part = Math.log(bits / low.bits) / Math.log(high.bits / low.bits);
  return low.psnr + part * (high.psnr - low.psnr);
}

function largestStep(pictures: Encoded['passStatistics']): number {
  let largest = 1;
  for (const isB of [false, true]) {
    const scales = pictures
      .slice(FIRST_PICTURES, -LAST_PICTURES)
      .filter(({ type }) => (type === 'B') === isB)
      .map(({ quantizerScale }) => quantizerScale);
    scales.slice(1).forEach((scale, index) => {
      const before = scales[index]!;
      if (Math.max(before, scale) >= NEARLY_LOSSLESS) largest = Math.max(largest, before / scale, scale / before);
    });
  }
  return largest;
}
