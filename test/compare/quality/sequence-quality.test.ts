// Tests of PSNR and SSIM, by hand and against ffmpeg.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { meanSquaredError, planePsnr } from '../../../src/compare/quality/psnr.js';
import { SequenceQuality } from '../../../src/compare/quality/sequence-quality.js';
import { ssim } from '../../../src/compare/quality/ssim.js';
import { type Frame, frameFromI420, i420Bytes } from '../../../src/picture/frame.js';
import { decodeWithFfmpeg, framesFromY4m, packagedFfmpeg } from '../../support/decoders.js';
import { makeTestStream, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { psnr } from '../../support/psnr.js';

function frame(width: number, height: number, pel: (at: number) => number): Frame {
  return frameFromI420(
    width,
    height,
    Uint8Array.from({ length: i420Bytes(width, height) }, (_, at) => pel(at)),
  );
}

/** The numbers after `name:` in ffmpeg's summary line of a filter, e.g. `PSNR y:30.1 u:...`. */
function ffmpegSummary(filter: 'psnr' | 'ssim', decoded: string, original: string): Record<string, number> {
  const command = `"${packagedFfmpeg()}" -hide_banner -nostdin -i "${decoded}" -i "${original}" -lavfi ${filter} -f null - 2>&1`;
  const log = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  const line = log.split('\n').find(text => text.includes(filter.toUpperCase())) ?? log;
  return Object.fromEntries(
    [...line.matchAll(/(\w+):(\d+\.\d+)/g)].map(match => [match[1]!.toLowerCase(), Number(match[2])]),
  );
}

describe('metrics', () => {
  const folder = temporaryFolder();

  it('measures each plane, and all by their pels', () => {
    const a = frame(5, 3, () => 100);
    const b = frame(5, 3, at => (at < 15 ? 103 : at < 21 ? 104 : 90));
    expect(meanSquaredError(a, b)).toEqual({ y: 9, u: 16, v: 100, all: (15 * 9 + 6 * 16 + 6 * 100) / 27 });
    expect(psnr(a, b).y).toBeCloseTo(20 * Math.log10(255 / 3), 10);
    expect(planePsnr({ y: 65025, u: 6502.5, v: 650.25, all: 0 })).toEqual({ y: 0, u: 10, v: 20, all: Infinity });
  });

  it('is infinite and 1 for equal frames', () => {
    const a = frame(33, 18, at => (at * 7) & 255);
    expect(psnr(a, a)).toEqual({ y: Infinity, u: Infinity, v: Infinity, all: Infinity });
    expect(ssim(a, a)).toEqual({ y: 1, u: 1, v: 1, all: 1 });
    const flat = frame(64, 64, () => 0);
    expect(ssim(flat, flat).all).toBe(1);
  });

  it('takes planes smaller than an SSIM window', () => {
    const a = frame(1, 1, () => 10);
    const b = frame(1, 1, () => 200);
    expect(ssim(a, a).all).toBe(1);
    expect(ssim(a, b).all).toBeGreaterThan(0);
    expect(ssim(a, b).all).toBeLessThan(0.2);
  });

  it('is the SSIM of the definition, with variances of 64 pels less one', () => {
    const [a, b] = [frame(8, 8, at => 100 + ((at * 5) % 13)), frame(8, 8, at => 101 + ((at * 7) % 11))];
    const mean = (pels: Uint8Array) => pels.reduce((sum, pel) => sum + pel, 0) / 64;
    const covariance = (one: Uint8Array, other: Uint8Array) =>
      one.reduce((sum, pel, i) => sum + (pel - mean(one)) * (other[i]! - mean(other)), 0) / 63;
    const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
    const luminance = (2 * mean(a.y) * mean(b.y) + c1) / (mean(a.y) ** 2 + mean(b.y) ** 2 + c1);
    const structure = (2 * covariance(a.y, b.y) + c2) / (covariance(a.y, a.y) + covariance(b.y, b.y) + c2);
    expect(ssim(a, b).y).toBeCloseTo(luminance * structure, 5);
  });

  it.each([
    [16, 5],
    [5, 16],
  ])('takes a plane of %i x %i for one whose last row and column go on up to 8', (width, height) => {
    const pels = (seed: number) => (x: number, y: number) => (seed * (x + 3) * (y + 5)) % 251;
    const planes = (w: number, h: number, of: (x: number, y: number) => number) =>
      frame(w, h, at => of(Math.min(at % w, width - 1), Math.min(Math.floor(at / w), height - 1)));
    const similarity = (w: number, h: number) => ssim(planes(w, h, pels(7)), planes(w, h, pels(11))).y;
    expect(similarity(width, height)).toBe(similarity(Math.max(8, width), Math.max(8, height)));
  });

  it('refuses frames of different sizes', () => {
    expect(() =>
      meanSquaredError(
        frame(8, 8, () => 0),
        frame(8, 9, () => 0),
      ),
    ).toThrow(/8x8 and 8x9 cannot be compared/);
    expect(() =>
      ssim(
        frame(8, 8, () => 0),
        frame(9, 8, () => 0),
      ),
    ).toThrow(/sizes differ/);
  });

  it('sums a sequence up by its mean error', () => {
    const quality = new SequenceQuality();
    const black = frame(8, 8, () => 0);
    expect(quality.psnr().y).toBeNaN();
    quality.add(
      black,
      frame(8, 8, () => 2),
    );
    expect(quality.add(black, black).psnr.y).toBe(Infinity);
    expect(quality.frames).toBe(2);
    expect(quality.psnr().all).toBeCloseTo(10 * Math.log10(65025 / 2), 12);
    expect(quality.ssim().all).toBeNaN();
  });

  it.each([
    { width: 96, height: 64 },
    { width: 75, height: 53 },
  ])('agrees with ffmpeg’s psnr and ssim filters: $width x $height', async size => {
    const { original, stream } = makeTestStream(folder, { ...size, frames: 9, q: 10 });
    const originals = framesFromY4m(readFileSync(original));
    const quality = new SequenceQuality(true);
    for (const [i, decoded] of (await decodeWithFfmpeg(stream)).entries()) quality.add(originals[i]!, decoded);
    expect(quality.frames).toBe(9);
    const decodedY4m = join(folder, 'decoded.y4m');
    runPackagedFfmpeg('-i', stream, '-vsync', 'passthrough', '-pix_fmt', 'yuv420p', decodedY4m);
    const expectedPsnr = ffmpegSummary('psnr', decodedY4m, original);
    const expectedSsim = ffmpegSummary('ssim', decodedY4m, original);
    for (const [plane, filterName] of [
      ['y', 'y'],
      ['u', 'u'],
      ['v', 'v'],
      ['all', 'average'],
    ] as const) {
      expect(quality.psnr()[plane]).toBeCloseTo(expectedPsnr[filterName]!, 4);
    }
    for (const plane of ['y', 'u', 'v', 'all'] as const) {
      expect(Math.abs(quality.ssim()[plane] - expectedSsim[plane]!)).toBeLessThan(0.001);
    }
  });
});
