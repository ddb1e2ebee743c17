// Tests of the scales of picture types.
import { describe, expect, it } from 'vitest';
import {
  CONSTANT_B_PICTURE_SCALE,
  MIN_BASE_SCALE,
  meanPictureScale,
  wholePictureScale,
} from '../../../src/encoder/quantizer/picture-scale.js';

describe('picture scales', () => {
  it('are the base scale in I and P pictures, and coarser in B pictures, without steps, up to 31', () => {
    for (let base = 1; base < 31; base += 0.25) {
      expect(meanPictureScale('I', base)).toBe(base);
      expect(meanPictureScale('P', base)).toBe(base);
      expect(meanPictureScale('B', base)).toBeGreaterThanOrEqual(base);
      expect(meanPictureScale('B', base + 0.25) - meanPictureScale('B', base)).toBeLessThan(0.6);
    }
    expect(meanPictureScale('B', 31)).toBe(31);
  });

  it('are 1 coarser in B pictures at fine scales without weights, and half as coarse again at coarse ones', () => {
    const ofB = [1, 2, 3, 4, 6, 8, 14, 20, 21, 31].map(base => wholePictureScale('B', base, CONSTANT_B_PICTURE_SCALE));
    expect(ofB).toEqual([2, 3, 4, 5, 8, 12, 21, 30, 31, 31]);
    expect(meanPictureScale('B', 3.5, CONSTANT_B_PICTURE_SCALE)).toBe(4.5);
    expect(meanPictureScale('P', 3.5, CONSTANT_B_PICTURE_SCALE)).toBe(3.5);
  });

  it('are 1 at the smallest base scale', () => {
    expect(meanPictureScale('P', MIN_BASE_SCALE)).toBe(1);
    expect(meanPictureScale('B', MIN_BASE_SCALE)).toBe(1);
    expect(meanPictureScale('B', 0.999)).toBeCloseTo(meanPictureScale('B', 1), 1);
  });

  it('are whole where the base scale is', () => {
    for (let base = 1; base <= 31; base++) {
      for (const type of ['I', 'P', 'B'] as const) {
        const whole = wholePictureScale(type, base);
        expect(Number.isInteger(whole) && whole >= 1 && whole <= 31).toBe(true);
        expect(meanPictureScale(type, base)).toBe(whole);
      }
    }
  });
});
