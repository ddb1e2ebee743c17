// Bad pels: counted where the truth is known and the mask leaves them.
import { describe, expect, it } from 'vitest';
import { badPixelsOf, type DisparityTruth } from '../../src/stereo/disparity-quality.js';

const truth: DisparityTruth = {
  name: 'truth.png',
  width: 3,
  height: 2,
  disparity: Float32Array.of(5, 5, 5, 5, 0, 5),
};
const found = [5, 6, 6.5, 8, 99, 4];
const disparityAt = (x: number, y: number) => found[3 * y + x];

describe('badPixelsOf', () => {
  it('counts errors above 1 and above 2 pels', () => {
    const errors = badPixelsOf(disparityAt, truth);
    expect(errors).toEqual({ above1: 2 / 5, above2: 1 / 5, meanError: (0 + 1 + 1.5 + 3 + 1) / 5, pels: 5 });
  });

  it('leaves out what the mask covers', () => {
    expect(badPixelsOf(disparityAt, { ...truth, mask: [1, 1, 0, 0, 1, 1] })).toMatchObject({ above1: 0, pels: 3 });
    expect(() => badPixelsOf(disparityAt, { ...truth, mask: new Uint8Array(6) })).toThrow(
      /truth\.png knows the disparity of no pel that the mask leaves$/,
    );
  });

  it('refuses a truth that knows nothing', () => {
    const unknown = new Float32Array(6);
    expect(() => badPixelsOf(disparityAt, { ...truth, disparity: unknown })).toThrow(/knows the disparity of no pel$/);
  });
});
