// Tests of how much of a residual is noise.
import { describe, expect, it } from 'vitest';
import type { PicturePrediction } from '../../../src/encoder/lookahead/analysis/picture-analyst.js';
import { inheritedPart, noiseShare } from '../../../src/encoder/lookahead/noise-share.js';

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

describe('inherited part of weights', () => {
  it('without noise it is all, with noise alone nothing at a fine scale, and more at coarser ones', () => {
    expect(inheritedPart(prediction([0, 3, 60], 0), 6)).toBe(1);
    const parts = [1, 2, 5, 10, 20, 31].map(scale => inheritedPart(prediction([7, 8], 5), scale));
    expect(parts[0]).toBeLessThan(0.001);
    expect(parts[5]).toBeGreaterThan(0.97);
    for (let i = 1; i < parts.length; i++) expect(parts[i]).toBeGreaterThanOrEqual(parts[i - 1]!);
  });

  it('it is less than what is no noise: coded references have lost some of theirs', () => {
    const picture = prediction([12, 14], 5);
    const fine = 1 - noiseShare(picture, 1) - inheritedPart(picture, 1);
    const coarser = 1 - noiseShare(picture, 7) - inheritedPart(picture, 7);
    expect(fine).toBeGreaterThan(0);
    expect(fine).toBeLessThan(0.01);
    expect(coarser).toBeGreaterThan(10 * fine);
    // All lost: of the variance 2 N + M of source pictures, N of the reference is gone.
    const share = noiseShare(picture, 12);
    expect(inheritedPart(picture, 12)).toBeCloseTo(1 - share / (1 - share / 2), 10);
  });
});
