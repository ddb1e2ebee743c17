// Tests of the BD-rate against reference figures.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BD_METHODS, bdRate, type RatePoint } from '../../../src/compare/quality/bd-rate.js';

const curve = (bits: readonly number[], quality: readonly number[]): RatePoint[] =>
  bits.map((value, i) => ({ bits: value, quality: quality[i]! }));

// The three examples of the Python package `bjontegaard` (libx265 with two presets): the one of its documentation, one
// at high bit rates, and one with more points.
const ANCHOR = curve([9487.76, 4593.6, 2486.44, 1358.24], [40.037, 38.615, 36.845, 34.851]);
const TEST = curve([9787.8, 4469.0, 2451.52, 1356.24], [40.121, 38.651, 36.97, 34.987]);
const HIGH_ANCHOR = curve([82472.76, 26875.24, 9487.76, 4593.6], [43.825, 41.404, 40.037, 38.615]);
const HIGH_TEST = curve([99896.96, 33952.04, 9787.8, 4469], [44.731, 41.875, 40.121, 38.651]);
const SIX_ANCHOR = [...HIGH_ANCHOR, ...curve([3600, 2900], [36.5, 35.1])];
const SIX_TEST = [...HIGH_TEST, ...curve([4040, 3300], [37, 36.5])];

/** The sample that goes round with public implementations of VCEG-M33. */
const WIDE_ANCHOR = curve([686.76, 309.58, 157.11, 85.95], [40.28, 37.18, 34.24, 31.42]);
const WIDE_TEST = curve([893.34, 407.8, 204.93, 112.75], [40.39, 37.21, 34.17, 31.24]);

/** Different numbers of points, more than four: the polynomial is a least squares fit. */
const LONG_ANCHOR = curve([100, 180, 400, 700, 1500], [30, 32.5, 36, 38.2, 42]);
const LONG_TEST = curve([90, 200, 390, 650, 1400, 2500], [29.5, 33, 36.2, 38.1, 41.8, 44]);

/** Rates that stay, and rates that fall: secants of 0, and of the other sign. */
const FLAT_ANCHOR = curve([100, 200, 200, 200, 300, 300, 250, 900], [30, 31, 32, 33, 34, 35, 36, 38]);
const FLAT_TEST = curve([90, 190, 190, 250, 260, 260, 500], [30.5, 31, 32, 33, 34.5, 36, 37.5]);

const THREE_ANCHOR = curve([100, 200, 500], [30, 34, 37]);
const THREE_TEST = curve([90, 210, 480], [29.5, 33, 37.5]);

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
    let quality = 28;
    return steps.map(({ step, factor }) => {
      bits *= factor;
      quality += step;
      return { bits, quality };
    });
  });

describe('bdRate', () => {
  // How the figures were made, once: the definition of the package, with SciPy 1.17.1. x: quality, rising; y: ln(bits);
  // numpy.polyfit(x, y, 3), PchipInterpolator(x, y) or Akima1DInterpolator(x, y), integrated over the range of both
  // curves; then 100 (exp(mean difference) - 1). The package takes log10 and 10 ** d, which is the same.
  it.each([
    ["the package's first example", ANCHOR, TEST, [-4.4204627062, -4.4174853506, -4.425245157]],
    ["the package's example at high bit rates", HIGH_ANCHOR, HIGH_TEST, [-4.6994375479, -4.4721820028, -4.0857609404]],
    ["the package's example of six points", SIX_ANCHOR, SIX_TEST, [-0.6392886208, -2.9528024116, -2.526920187]],
    ['common sample', WIDE_ANCHOR, WIDE_TEST, [31.3973740549, 31.3798782024, 31.3839889843]],
    ['more than four points', LONG_ANCHOR, LONG_TEST, [-3.6468417757, -3.8772450475, -3.9032530997]],
    ['rates that stay or fall', FLAT_ANCHOR, FLAT_TEST, [-6.7181383538, -3.0134556375, -3.1055306254]],
  ])('gives the reference figures: %s', (_, anchor, test, expected) => {
    for (const [i, method] of BD_METHODS.entries()) {
      expect([method, bdRate(anchor, test, method)]).toEqual([method, expect.closeTo(expected[i]!, 8)]);
    }
  });

  it('takes three points with pchip and akima, with the reference figures', () => {
    expect(bdRate(THREE_ANCHOR, THREE_TEST, 'pchip')).toBeCloseTo(17.9816397016, 8);
    expect(bdRate(THREE_ANCHOR, THREE_TEST, 'akima')).toBeCloseTo(18.0300866269, 8);
  });

  it.each(BD_METHODS)('is 0 for a curve against itself and the factor for scaled bits: %s', method => {
    fc.assert(
      fc.property(risingCurve, fc.double({ min: 0.3, max: 3, noNaN: true }), (points, factor) => {
        const scaled = points.map(({ bits, quality }) => ({ bits: bits * factor, quality }));
        expect(bdRate(points, points, method)).toBe(0);
        expect(bdRate(points, scaled, method)).toBeCloseTo((factor - 1) * 100, 5);
      }),
      { seed: 11172, numRuns: 200 },
    );
  });

  it.each(BD_METHODS)('does not depend on the order of points; swapping the curves inverts the factor: %s', method => {
    const forward = bdRate(LONG_ANCHOR, LONG_TEST, method);
    expect(bdRate([...LONG_ANCHOR].reverse(), [...LONG_TEST].reverse(), method)).toBe(forward);
    const backward = bdRate(LONG_TEST, LONG_ANCHOR, method);
    expect((1 + forward / 100) * (1 + backward / 100)).toBeCloseTo(1, 10);
  });

  it.each(['pchip', 'akima'] as const)('takes two points with %s: a straight line', method => {
    // The second line lies ln(2) / 2 below the first one over all of the common range, 30..34.
    const line = curve([100, 200], [30, 34]);
    const cheaper = curve([100, 200], [32, 36]);
    expect(bdRate(line, cheaper, method)).toBeCloseTo(100 * (2 ** -0.5 - 1), 10);
  });

  // The integral of ln(bits) over the first dB is 1/2 + (d0 - d1) / 12, with the slopes d0 and d1 at its ends.
  // That of the line is 1/2.
  it.each([
    ['0 where three points would make it fall', [1, Math.E, Math.E ** 5], 0, 1.6], // they give -1/2
    ['three times the secant at most, before a turn', [1, Math.E, Math.E ** -3], 3, 0], // they give 7/2
  ])('has a slope at the end of pchip of %s', (_, bits, d0, d1) => {
    const line = curve([1, Math.E], [30, 31]);
    expect(bdRate(curve(bits, [30, 31, 32]), line, 'pchip')).toBeCloseTo(100 * Math.expm1((d1 - d0) / 12), 8);
  });

  it('has a slope of akima between equal secants on both sides that is their mean', () => {
    // Secants 1, 1, 2, 2: over the third dB the slopes at the ends are 1 and 3/2, and the line's integral is 3/2, too.
    const bent = curve([0, 1, 2, 4, 6].map(Math.exp), [30, 31, 32, 33, 34]);
    expect(bdRate(bent, curve([1, 2].map(Math.exp), [31, 32]), 'akima')).toBeCloseTo(100 * Math.expm1(1 / 24), 8);
  });

  it.each(BD_METHODS)('counts equal points once: %s', method => {
    const doubled = [...LONG_TEST, LONG_TEST[2]!, LONG_TEST[0]!];
    expect(bdRate(LONG_ANCHOR, doubled, method)).toBe(bdRate(LONG_ANCHOR, LONG_TEST, method));
    expect(bdRate(doubled, LONG_ANCHOR, method)).toBe(bdRate(LONG_TEST, LONG_ANCHOR, method));
    expect(() => bdRate([TEST[0]!, TEST[0]!, TEST[0]!, TEST[0]!], TEST, method)).toThrow(/anchor curve has 1 point; /);
    const unlike = [...TEST.slice(0, 3), { ...TEST[0]!, bits: 1 }];
    expect(() => bdRate(ANCHOR, unlike, method)).toThrow(/test curve has points of equal quality/);
  });

  it('says what is wrong with a curve', () => {
    expect(() => bdRate(ANCHOR.slice(1), TEST)).toThrow(/anchor curve has 3 points; cubic needs at least 4/);
    expect(() => bdRate(ANCHOR, TEST.slice(3), 'pchip')).toThrow(/test curve has 1 point; pchip needs at least 2/);
    expect(() => bdRate(ANCHOR, curve([1, 2, 3, 4], [20, 21, 22, 23]))).toThrow(
      /no quality is covered by both curves: anchor 34\.85\.\.40\.04/,
    );
    expect(() => bdRate(ANCHOR, curve([1, 2], [40.037, 42]), 'pchip')).toThrow(/no quality is covered by both curves/);
    expect(() => bdRate(ANCHOR, curve([1, 2, 3, 4], [36, 37, 37, 38]))).toThrow(/points of equal quality/);
    expect(() => bdRate(curve([0, 2, 3, 4], [35, 36, 37, 38]), TEST)).toThrow(/a point of 0 bits/);
    expect(() => bdRate(ANCHOR, curve([1, 2, 3, 4], [35, 36, 37, Number.POSITIVE_INFINITY]))).toThrow(
      /at quality Infinity/,
    );
    expect(() => bdRate(ANCHOR, [...TEST, { bits: 1, quality: Number.NaN }], 'pchip')).toThrow(/at quality NaN/);
  });
});
