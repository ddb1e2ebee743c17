// The choice of a macroblock quantizer_scale by rate and distortion.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { scaleOfQuality } from '../../../src/encoder/quantizer/constant-quality.js';
import { lambdaForSquaredError } from '../../../src/macroblock/row/lagrangian.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg } from '../../support/decoders.js';
import { encodeFrames } from '../../support/encode.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();
const size = { width: 112, height: 80 };
const pan = [...generateSample({ kind: 'pan', ...size, frames: 13, seed: 4 })];
const snow = [...generateSample({ kind: 'snow', ...size, frames: 7, seed: 9 })];

describe('quantizer_scale chosen by rate and distortion', () => {
  it('never at a constant quantizer_scale', async () => {
    for (const q of [1, 5, 31]) {
      const [without, withSteps] = [0, 4].map(quantizerSearchRadius =>
        encodeFrames(pan, { ...size, q, tools: { quantizerSearchRadius } }),
      );
      expect((await withSteps!).stream).toEqual((await without!).stream);
    }
  });

  // In intra pictures nothing depends on a macroblock's distortion, and the trees' factors are 1.
  it.each([
    [pan, 85],
    [pan, 50],
    [snow, 20],
    [snow, 60],
  ])('makes distortion + lambda * bits of intra pictures less (sequence and quality %#)', async (frames, quality) => {
    const lambda = lambdaForSquaredError(scaleOfQuality(quality));
    const cost = async (quantizerSearchRadius: number) => {
      const { statistics } = await encodeFrames(frames, { ...size, quality, gop: 1, tools: { quantizerSearchRadius } });
      const meanSquaredError = 255 ** 2 / 10 ** (statistics.psnr.all / 10);
      return meanSquaredError * frames.length * size.width * size.height * 1.5 + lambda * statistics.bits;
    };
    expect(await cost(1)).toBeLessThan(await cost(0));
  });

  it.each([
    ['at a quality', { quality: 62.3 }],
    ['at a rate', { bitrate: 400_000 }],
    ['at a constant rate', { bitrate: 400_000, cbr: true }],
    ['with every tool that changes scales', { quality: 70, aq: 1.5, preset: 'best' as const }],
    ['in slices', { quality: 55, aq: 2, slices: 'rows' as const }],
    ['between far scales', { quality: 45, aq: 3, tools: { quantizerSearchRadius: 30 } }],
  ])('%s, the stream decodes to the reconstruction', async (name, options) => {
    const { stream, reconstruction } = await encodeFrames(pan, { ...size, ...options });
    const path = join(folder, `${name.replaceAll(' ', '-')}.m1v`);
    writeFileSync(path, stream);
    expectSameFrames(await decodeWithFfmpeg(path), reconstruction, name);
  });
});
