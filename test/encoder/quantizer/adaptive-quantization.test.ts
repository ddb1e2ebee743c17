// Tests of adaptive quantization.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { bdRate } from '../../../src/compare/quality/bd-rate.js';
import { SequenceQuality } from '../../../src/compare/quality/sequence-quality.js';
import { Encoder } from '../../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { activityFactors, TUNE_NAMES } from '../../../src/encoder/quantizer/adaptive-quantization.js';
import { frameFromI420 } from '../../../src/picture/frame.js';
import { macroblockGrid, pictureFromFrame } from '../../../src/picture/picture.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg } from '../../support/decoders.js';
import { encodeFrames } from '../../support/encode.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();
const size = { width: 96, height: 80 };

/** Half sky, half gravel. */
function halfBusyFrame(shift: number) {
  const pels = new Uint8Array(96 * 80 * 1.5).fill(128);
  for (let y = 0; y < 80; y++) {
    for (let x = 0; x < 96; x++) {
      const gravel = ((x + shift) * 7919 + y * 104729 + (((x + shift) * y * 31) % 97)) % 120;
      pels[y * 96 + x] = y < 40 ? 60 + y + ((x + shift) >> 3) : 60 + gravel;
    }
  }
  return frameFromI420(96, 80, pels);
}
const frames = Array.from({ length: 7 }, (_, i) => halfBusyFrame(i));

describe('activity factors', () => {
  const picture = pictureFromFrame(0, frames[0]!, macroblockGrid(96, 80));

  it('are above 1 where the picture is busy, below where it is calm, and 1 in the mean of their logarithms', () => {
    const factors = activityFactors(picture, 1);
    expect(factors.length).toBe(30);
    expect(Math.max(...factors.slice(0, 12))).toBeLessThan(1);
    expect(Math.min(...factors.slice(18))).toBeGreaterThan(1);
    expect(factors.reduce((sum, factor) => sum + Math.log(factor), 0)).toBeCloseTo(0, 9);
  });

  it('grow with the strength, and are 1 in an even picture', () => {
    const [weak, strong] = [activityFactors(picture, 0.5), activityFactors(picture, 1)];
    for (const [i, factor] of weak.entries()) expect(factor * factor).toBeCloseTo(strong[i]!, 9);
    const even = pictureFromFrame(0, frameFromI420(96, 80, new Uint8Array(96 * 80 * 1.5)), macroblockGrid(96, 80));
    expect(new Set(activityFactors(even, 4))).toEqual(new Set([1]));
  });
});

describe('tune ssim', () => {
  const encode = (options: Partial<EncoderOptions>) => encodeFrames(frames, { ...size, ...options });

  it('takes fewer bits at equal SSIM', async () => {
    const zoom = [...generateSample({ kind: 'zoom', width: 176, height: 144, frames: 12, seed: 4 })];
    const curve = async (options: Partial<EncoderOptions>) => {
      const points = [];
      for (const q of [3, 6, 12]) {
        const { statistics, reconstruction } = await encodeFrames(zoom, { width: 176, height: 144, q, ...options });
        const quality = new SequenceQuality(true);
        for (const [i, frame] of reconstruction.entries()) quality.add(zoom[i]!, frame);
        points.push({ bits: statistics.bits, quality: -10 * Math.log10(1 - quality.ssim().y) });
      }
      return points;
    };
    expect(bdRate(await curve({}), await curve({ tune: 'ssim' }), 'pchip')).toBeLessThan(-3);
  });

  it('is adaptive quantization of strength 1, which aq overrides', async () => {
    expect(TUNE_NAMES).toEqual(['psnr', 'ssim']);
    const { stream } = await encode({ tune: 'ssim' });
    expect((await encode({ aq: 1, matrix: 'standard' })).stream).toEqual(stream);
    expect((await encode({ tune: 'ssim', aq: 0, matrix: 'flat' })).stream).toEqual((await encode({})).stream);
  });

  it('psnr is the default: the flat matrix, which matrix overrides', async () => {
    const { stream } = await encode({});
    expect((await encode({ tune: 'psnr' })).stream).toEqual(stream);
    expect((await encode({ matrix: 'flat' })).stream).toEqual(stream);
    expect((await encode({ matrix: 'standard' })).stream).not.toEqual(stream);
  });

  it.each([{ q: 5 }, { quality: 55.5 }, { bitrate: 150_000 }, { bitrate: 400_000, cbr: true }, { q: 31 }, { q: 1 }])(
    'with %o decodes to the reconstruction',
    async options => {
      const { stream, reconstruction } = await encode({ tune: 'ssim', slices: 2, ...options });
      const path = join(folder, `${Object.keys(options).join('-')}.m1v`);
      writeFileSync(path, stream);
      expectSameFrames(await decodeWithFfmpeg(path), reconstruction, 'tune ssim');
    },
  );

  it('keeps to a bit rate', async () => {
    const sample = generateSample({ kind: 'snow', ...size, frames: 64, seed: 4 });
    const { stream } = await encodeFrames(sample, { ...size, tune: 'ssim', bitrate: 200_000, preset: 'fast' });
    expect(Math.abs((stream.length * 8 * 25) / 64 / 200_000 - 1)).toBeLessThan(0.03);
  });

  it.each([
    [{ tune: 'vmaf' }, /tune 'vmaf' does not exist; legal: psnr, ssim/],
    [{ aq: 5 }, /aq 5 is not a number from 0 to 4/],
  ])('%o is refused', (options, says) => {
    expect(() => new Encoder({ ...size, frameRate: 25, ...options } as EncoderOptions)).toThrow(says);
  });
});
