// Tests of encodes at a constant quality.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { PictureType } from '../../../src/bitstream/picture-type.js';
import { Encoder } from '../../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { constantPictureScale } from '../../../src/encoder/quantizer/base-scale.js';
import { scaleOfQuality } from '../../../src/encoder/quantizer/constant-quality.js';
import { OptionError } from '../../../src/errors.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg } from '../../support/decoders.js';
import { encodeFrames } from '../../support/encode.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();
const size = { width: 96, height: 80 };
const pictureScaleAt = (quality: number, type: PictureType, weightFactors?: () => void) =>
  constantPictureScale({ plan: { type }, weightFactors }, { kind: 'constant-quality', quality });
const frames = [...generateSample({ kind: 'snow', ...size, frames: 13, seed: 4 })];

describe('constant quality', () => {
  it('0 is the coarsest scale, 100 the finest, B pictures have theirs', () => {
    expect([0, 100].map(scaleOfQuality)).toEqual([31, 1]);
    expect([pictureScaleAt(50, 'I'), pictureScaleAt(50, 'P')]).toEqual([Math.sqrt(31), Math.sqrt(31)]);
    // Between those of 5 and 6: 7 and 8, with weights 8 and 9.
    expect(pictureScaleAt(50, 'B')).toBeCloseTo(Math.sqrt(31) + 2);
    expect(pictureScaleAt(50, 'B', () => {})).toBeCloseTo(Math.sqrt(31) + 3);
  });

  // Filtered, a picture of a scene that moves at random also changes with the quality.
  it.each([
    [4, false],
    [8, true],
  ])('is monotone: %i more take more bits and give a higher PSNR, filtered in time: %s', async (step, filtered) => {
    const points = [];
    for (let quality = 0; quality <= 100; quality += step) {
      const tools = { temporalFilter: filtered };
      const { statistics } = await encodeFrames(frames, { ...size, quality, tools, estimator: 'cpu-predictive' });
      points.push({ quality, bits: statistics.bits, psnr: statistics.psnr.y });
    }
    for (const [i, { quality, bits, psnr }] of points.entries()) {
      if (i === 0) continue;
      expect(bits, `quality ${quality}`).toBeGreaterThan(points[i - 1]!.bits);
      expect(psnr, `quality ${quality}`).toBeGreaterThan(points[i - 1]!.psnr);
    }
  });

  it('has scales between whole ones, and decodes to the reconstruction', async () => {
    const { stream, reports, reconstruction } = await encodeFrames(frames, {
      ...size,
      quality: 71.5,
      tools: { macroblockTree: false, quantizerSearchRadius: 0 },
    });
    for (const { type, q } of reports) expect(q).toBeCloseTo(pictureScaleAt(71.5, type), 1);
    expect(reports.some(({ q }) => !Number.isInteger(q))).toBe(true);
    const path = join(folder, 'quality.m1v');
    writeFileSync(path, stream);
    expectSameFrames(await decodeWithFfmpeg(path), reconstruction, 'constant quality');
  });

  it.each([
    [{ quality: 101 }, /quality 101 is not a number from 0 to 100/],
    [{ quality: Number.NaN }, /quality NaN/],
    [{ quality: 50, q: 4 }, /q and quality exclude each other/],
    [{ quality: 50, bitrate: 100_000 }, /quality and bitrate exclude each other/],
    [{ quality: 50, target: 'vcd', width: 352, height: 288 }, /quality is given by target vcd/],
  ])('%o is refused', (options, says) => {
    const refused = () => new Encoder({ ...size, frameRate: 25, ...options } as EncoderOptions);
    expect(refused).toThrow(OptionError);
    expect(refused).toThrow(says);
  });
});
