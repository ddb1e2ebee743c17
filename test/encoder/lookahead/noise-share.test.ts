// Tests of how much of a residual is noise.
import { describe, expect, it } from 'vitest';
import type { PicturePrediction } from '../../../src/encoder/lookahead/analysis/picture-analyst.js';
import { noiseShare } from '../../../src/encoder/lookahead/noise-share.js';

const PELS = 256;

/** A picture whose macroblocks have these mean absolute errors; as intra each has an error of 40. */
function prediction(errors: readonly number[], noise: number): PicturePrediction {
  return {
    sad: Uint16Array.from(errors, error => error * PELS),
    intra: new Uint16Array(errors.length).fill(40 * PELS),
    noise,
    motion: [],
  };
}

describe('noise share', () => {
  it('without noise it is nothing, at any scale and error', () => {
    for (const scale of [1, 6, 31]) expect(noiseShare(prediction([0, 3, 60], 0), scale)).toBe(0);
  });

  it('what differs by noise alone is nearly all noise at a fine scale, and less at coarser ones', () => {
    const noise = 5;
    const shares = [1, 2, 5, 10, 20, 31].map(scale => noiseShare(prediction([7, 8], noise), scale));
    expect(shares[0]).toBeGreaterThan(0.99);
    expect(shares[3]).toBeCloseTo(0.5, 5); // noise of half the scale
    expect(shares[5]).toBeLessThan(0.02);
    for (let i = 1; i < shares.length; i++) expect(shares[i]).toBeLessThan(shares[i - 1]!);
  });

  it('a macroblock with four times the error of noise has a sixteenth; one that is coded intra has its error as such', () => {
    const ofNoise = 5 * 1.17 * Math.SQRT2;
    const all = noiseShare(prediction([1], 5), 1);
    expect(noiseShare(prediction([4 * ofNoise], 5), 1) / all).toBeCloseTo(1 / 16, 3);
    expect(noiseShare(prediction([200], 5), 1) / all).toBeCloseTo((ofNoise / 40) ** 2, 3);
    expect(noiseShare(prediction([1, 4 * ofNoise], 5), 1) / all).toBeCloseTo((1 + 1 / 16) / 2, 3);
  });
});
