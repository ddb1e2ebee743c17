// Tests of the BD-rate against reference figures.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BdInterpolation, bdRate, type RatePoint } from '../../../src/compare/quality/bd-rate.js';

const curve = (bits: readonly number[], psnr: readonly number[]): RatePoint[] =>
  bits.map((value, i) => ({ bits: value, psnrDb: psnr[i]! }));

/** The worked example of the `bjontegaard` Python package's documentation (libx265, two presets). */
const ANCHOR = curve([9487.76, 4593.6, 2486.44, 1358.24], [40.037, 38.615, 36.845, 34.851]);
const TEST = curve([9787.8, 4469.0, 2451.52, 1356.24], [40.121, 38.651, 36.97, 34.987]);

/** The sample that goes round with public implementations of VCEG-M33. */
const WIDE_ANCHOR = curve([686.76, 309.58, 157.11, 85.95], [40.28, 37.18, 34.24, 31.42]);
const WIDE_TEST = curve([893.34, 407.8, 204.93, 112.75], [40.39, 37.21, 34.17, 31.24]);

/** Different numbers of points, more than four: the polynomial is a least squares fit. */
const LONG_ANCHOR = curve([100, 180, 400, 700, 1500], [30, 32.5, 36, 38.2, 42]);
const LONG_TEST = curve([90, 200, 390, 650, 1400, 2500], [29.5, 33, 36.2, 38.1, 41.8, 44]);

const INTERPOLATIONS: readonly BdInterpolation[] = ['cubic', 'pchip'];

/** A rising curve: 4 to 7 points, PSNR steps of at least 0.2 dB, each at 1.05 to 3 times the bits before. */
const risingCurve = fc
  .array(
    fc.record({
      step: fc.double({ min: 0.2, max: 4, noNaN: true }),
      factor: fc.double({ min: 1.05, max: 3, noNaN: true }),
    }),
    {
      minLength: 4,
      maxLength: 7,
    },
  )
  .map(steps => {
    let bits = 1000;
    let psnrDb = 28;
    return steps.map(({ step, factor }) => {
      bits *= factor;
      psnrDb += step;
      return { bits, psnrDb };
    });
  });

describe('bdRate', () => {
  // Expected figures: numpy.polyfit / scipy PchipInterpolator over natural log rate, integrated exactly.
  it.each([
    ['published example', ANCHOR, TEST, -4.420462706245, -4.41748535059],
    ['common sample', WIDE_ANCHOR, WIDE_TEST, 31.397374054909, 31.379878202398],
    ['more than four points', LONG_ANCHOR, LONG_TEST, -3.646841775654, -3.877245047506],
  ])('gives the reference figures: %s', (_, anchor, test, cubic, pchip) => {
    expect(bdRate(anchor, test)).toBeCloseTo(cubic, 8);
    expect(bdRate(anchor, test, 'pchip')).toBeCloseTo(pchip, 8);
  });

  it.each(INTERPOLATIONS)('is 0 for a curve against itself and the factor for scaled bits: %s', interpolation => {
    fc.assert(
      fc.property(risingCurve, fc.double({ min: 0.3, max: 3, noNaN: true }), (points, factor) => {
        const scaled = points.map(({ bits, psnrDb }) => ({ bits: bits * factor, psnrDb }));
        expect(bdRate(points, points, interpolation)).toBe(0);
        expect(bdRate(points, scaled, interpolation)).toBeCloseTo((factor - 1) * 100, 5);
      }),
      { seed: 11172, numRuns: 200 },
    );
  });

  it.each(INTERPOLATIONS)(
    'does not depend on the order of points; swapping the curves inverts the factor: %s',
    interpolation => {
      const forward = bdRate(LONG_ANCHOR, LONG_TEST, interpolation);
      expect(bdRate([...LONG_ANCHOR].reverse(), [...LONG_TEST].reverse(), interpolation)).toBe(forward);
      const backward = bdRate(LONG_TEST, LONG_ANCHOR, interpolation);
      expect((1 + forward / 100) * (1 + backward / 100)).toBeCloseTo(1, 10);
    },
  );

  it('takes two points with pchip: a straight line', () => {
    const line = curve([100, 200], [30, 34]);
    const cheaper = curve([90, 180], [30, 34]);
    expect(bdRate(line, cheaper, 'pchip')).toBeCloseTo(-10, 10);
  });

  it('says what is wrong with a curve', () => {
    expect(() => bdRate(ANCHOR.slice(1), TEST)).toThrow(/anchor curve has 3 points; cubic needs at least 4/);
    expect(() => bdRate(ANCHOR, TEST.slice(3), 'pchip')).toThrow(/test curve has 1 points; pchip needs at least 2/);
    expect(() => bdRate(ANCHOR, curve([1, 2, 3, 4], [20, 21, 22, 23]))).toThrow(/no PSNR is covered by both/);
    expect(() => bdRate(ANCHOR, curve([1, 2, 3, 4], [36, 37, 37, 38]))).toThrow(/points of equal PSNR/);
    expect(() => bdRate(curve([0, 2, 3, 4], [35, 36, 37, 38]), TEST)).toThrow(/a point of 0 bits/);
    expect(() => bdRate(ANCHOR, curve([1, 2, 3, 4], [35, 36, 37, Number.POSITIVE_INFINITY]))).toThrow(/at Infinity dB/);
  });
});
