// What rate control expects of pictures, and what it says of a rate that is missed.
import { describe, expect, it } from 'vitest';
import { ERROR_BINS, errorHistogram, meanShift } from '../../../src/encoder/lookahead/error-histogram.js';
import { BaseScaleSteps } from '../../../src/encoder/rate-control/base-scale-steps.js';
import { BitEstimate, typicalErrors } from '../../../src/encoder/rate-control/forecast/bit-estimate.js';
import { BitModel, type UpcomingPicture } from '../../../src/encoder/rate-control/forecast/bit-model.js';
import type { RateSettings } from '../../../src/encoder/rate-control/rate-settings.js';
import { RateWarning } from '../../../src/encoder/rate-control/rate-warning.js';

const MACROBLOCKS = 100;
const SHAPE = { macroblocks: MACROBLOCKS, slices: 1 };
const TYPES = ['I', 'P', 'B'] as const;

function picture(type: 'I' | 'P' | 'B', error = 4, noise = 0, shift = 0): UpcomingPicture {
  const sad = new Uint16Array(MACROBLOCKS).fill(256 * error);
  const intra = new Uint16Array(MACROBLOCKS).fill(0xffff);
  return { ...({} as UpcomingPicture), type, errors: { counts: errorHistogram(sad, intra), noise, shift } };
}

describe('the histogram of errors', () => {
  it('has every macroblock once, in the bin of its smaller error', () => {
    const counts = errorHistogram(Uint16Array.of(0, 256, 256 * 200, 256 * 8), Uint16Array.of(9, 9000, 0xffff, 256));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
    // Errors of 0, 1, 200 and 1 levels; bins begin at 0.25 and are half an octave wide.
    expect([counts[0], counts[4], counts[ERROR_BINS - 1]]).toEqual([1, 2, 1]);
  });

  it('has bins that begin at powers of the square root of 2', () => {
    for (let bin = 1; bin < ERROR_BINS; bin++) {
      const first = Math.ceil(256 * 0.25 * 2 ** (bin / 2));
      const counts = errorHistogram(undefined, Uint16Array.of(first - 1, first));
      expect([...counts.slice(bin - 1, bin + 1)], `${bin}`).toEqual([1, 1]);
    }
    expect(errorHistogram(undefined, Uint16Array.of(0, 0xffff))[ERROR_BINS - 1]).toBe(1);
  });
});

describe('the shift of the mean', () => {
  it('is that from the nearest of two references and of their mean', () => {
    expect(meanShift(90, [100])).toBe(10);
    expect(meanShift(90, [100, 80])).toBe(0);
    expect(meanShift(97, [100, 80])).toBe(3);
    expect(meanShift(120, [100, 110])).toBe(10);
  });
});

describe('estimated bits', () => {
  it.each(['P', 'B'] as const)('of a %s picture in a fade: some for each block, however small the error', type => {
    const perMacroblock = (error: number, shift: number, scale: number) =>
      BitEstimate.of(type, picture(type, error, 0, shift).errors!, 1).coefficientsAt(scale) / MACROBLOCKS;
    const added = (shift: number, scale: number) => perMacroblock(0, shift, scale) - perMacroblock(0, 0, scale);
    expect(added(0.5, 8)).toBeLessThan(1);
    expect(added(6, 6)).toBeGreaterThan(15);
    expect(added(6, 6)).toBeLessThan(30);
    // Twice the shift, or half the scale, costs one step of the level of a few coefficients.
    expect(added(12, 6) - added(6, 6)).toBeCloseTo(10, 0);
    expect(added(12, 6)).toBeCloseTo(added(6, 3), 0);
    // However great or small.
    expect(added(255, 6)).toBeGreaterThanOrEqual(added(100, 6));
    expect(added(0.251, 1) - added(0.249, 1)).toBeLessThan(0.2);
    // An error that is a shift takes fewer bits than one that spreads.
    expect(perMacroblock(16, 16, 4)).toBeLessThan(perMacroblock(16, 0, 4));
  });

  it.each(TYPES)('of %s pictures fall as the scale rises, and rise with the errors', type => {
    const total = (error: number, noise: number, scale: number) => {
      const estimate = BitEstimate.of(type, picture(type, error, noise).errors!, 1);
      return estimate.overhead + estimate.coefficientsAt(scale);
    };
    for (const noise of [0, 3]) {
      for (let scale = 0.5; scale < 31; scale *= 1.1) {
        expect(total(4, noise, scale)).toBeGreaterThanOrEqual(total(4, noise, scale * 1.1));
        if (noise === 0) expect(total(8, noise, scale)).toBeGreaterThanOrEqual(total(4, noise, scale));
      }
    }
    expect(BitEstimate.of(type, typicalErrors(type, MACROBLOCKS), 1).coefficientsAt(4)).toBeGreaterThan(1000);
  });
});

describe('the tables of bits', () => {
  it.each(TYPES)('of %s pictures reach from the finest scale and strongest error to the other ends', type => {
    const estimateOf = (error: number, noise: number) => BitEstimate.of(type, picture(type, error, noise).errors!, 1);
    for (const noise of [0, 9]) {
      // Scales of 0.5 and 63, four octaves finer and coarser.
      for (const scale of [0.5 / 16, 63 * 16]) {
        for (const error of [0, 255]) expect(estimateOf(error, noise).coefficientsAt(scale)).toBeGreaterThanOrEqual(0);
      }
      expect(estimateOf(255, noise).coefficientsAt(0.5 / 16)).toBeGreaterThan(
        estimateOf(255, noise).coefficientsAt(0.5 / 8),
      );
    }
  });
});

describe('the sum of estimates', () => {
  it.each(TYPES)('of %s pictures has the bits of all at any scale', type => {
    const pictures = [picture(type, 2), picture(type, 30, 3, 5), picture(type, 9, 1, 0.7)];
    const weights = [1, 0.25, 3];
    const estimates = pictures.map(({ errors }) => BitEstimate.of(type, errors!, 6));
    const sum = BitEstimate.sum(
      type,
      estimates.map((estimate, i) => ({ estimate, weight: weights[i]! })),
    );
    const wanted = (bits: (estimate: BitEstimate) => number) =>
      estimates.reduce((total, estimate, i) => total + weights[i]! * bits(estimate), 0);
    expect(sum.overhead).toBeCloseTo(wanted(({ overhead }) => overhead));
    for (const scale of [0.5, 1, 3.7, 12, 31, 63]) {
      expect(sum.coefficientsAt(scale)).toBeCloseTo(wanted(estimate => estimate.coefficientsAt(scale)));
    }
  });
});

describe('the model of bits', () => {
  it('has the bits of all pictures, each at the scale of its type, by what is known of it', () => {
    const model = new BitModel(SHAPE);
    model.learn(picture('P', 4), 30_000, 5);
    model.learn(picture('B', 4), 2000, 7);
    const pictures = [picture('P', 3), picture('B', 5, 2), picture('I', 20), picture('P', 8, 1)];
    const scaleOf = (type: 'I' | 'P' | 'B') => ({ I: 4, P: 5, B: 7.5 })[type];
    const each = pictures.reduce((sum, upcoming) => sum + model.bits(upcoming, scaleOf(upcoming.type)), 0);
    expect(model.bitsOfAll(pictures)(scaleOf)).toBeCloseTo(each);
  });

  it('does not take strong errors for as much dearer as faint ones are', () => {
    const model = new BitModel(SHAPE);
    const [faint, strong] = [picture('P', 3), picture('P', 48)];
    const before = model.bits(strong, 6);
    const dearer = 4 * model.bits(faint, 6);
    for (let i = 0; i < 4; i++) model.learn(faint, dearer, 6);
    expect(model.bits(faint, 6) / dearer).toBeCloseTo(1, 1);
    expect(model.bits(strong, 6)).toBeGreaterThan(1.05 * before);
    expect(model.bits(strong, 6)).toBeLessThan(2 * before);
  });

  it('keeps what it knows of a scale while others are learned', () => {
    const model = new BitModel(SHAPE);
    const noisy = picture('P', 8, 8);
    for (let i = 0; i < 8; i++) model.learn(noisy, 40_000, 8);
    for (let i = 0; i < 8; i++) model.learn(noisy, 300, 16);
    expect(model.bits(noisy, 16)).toBeLessThan(400);
    expect(model.bits(noisy, 8)).toBeGreaterThan(24_000);
    expect(model.bits(noisy, 8)).toBeLessThan(40_000);
  });

  it('keeps what it knows of a scale while many pictures have a coarser one, a third of an octave away', () => {
    const model = new BitModel(SHAPE);
    const noisy = picture('P', 10, 10);
    for (let i = 0; i < 8; i++) model.learn(noisy, 60_000, 11.5);
    for (let i = 0; i < 24; i++) model.learn(noisy, 10_000, 14.5);
    expect(model.bits(noisy, 14.5)).toBeLessThan(12_000);
    expect(model.bits(noisy, 11.5)).toBeGreaterThan(50_000);
    for (let i = 0; i < 8; i++) model.learn(noisy, 30_000, 11.5);
    expect(model.bits(noisy, 11.5)).toBeLessThan(35_000);
  });

  it('expects no more bits at a coarser scale, whatever was learned there', () => {
    const model = new BitModel(SHAPE);
    const learned = picture('P', 8);
    for (const [scale, bits] of [
      [4, 3000],
      [8, 90_000],
      [16, 90_000],
      [6, 3000],
    ] as const)
      model.learn(learned, bits, scale);
    const bits = Array.from({ length: 60 }, (_, i) => model.bits(learned, 1 + i / 2));
    expect(bits.toSorted((a, b) => b - a)).toEqual(bits);
  });

  it('knows the factor by which bits change with the scale, whatever was learned', () => {
    const model = new BitModel(SHAPE);
    const change = model.bits(picture('I'), 8) / model.bits(picture('I'), 4);
    model.learn(picture('I'), 90_000, 4);
    expect(model.changeFrom(picture('I'), 4)(8)).toBeCloseTo(change);
    expect(model.changeFrom(picture('I'), 4)(4)).toBe(1);
  });

  it('expects headers of each slice, and less of what stands still', () => {
    const bits = (slices: number, error: number) =>
      new BitModel({ macroblocks: MACROBLOCKS, slices }).bits(picture('P', error), 31);
    expect(bits(6, 1) - bits(1, 1)).toBe(5 * 42);
    expect(bits(1, 4)).toBeGreaterThan(1.3 * bits(1, 0.2));
  });

  it.each(TYPES)('gives what the first %s picture took, and moves towards later ones', type => {
    const model = new BitModel(SHAPE);
    expect(model.hasLearned(type)).toBe(false);
    model.suppose(picture(type), 9000, 5);
    expect(model.hasLearned(type)).toBe(false);
    expect(model.bits(picture(type), 5)).toBeCloseTo(9000, -1);
    model.learn(picture(type), 20_000, 5);
    expect(model.hasLearned(type)).toBe(true);
    expect(model.bits(picture(type), 5)).toBeCloseTo(20_000, -1);
    for (let i = 0; i < 12; i++) model.learn(picture(type), 30_000, 5);
    expect(model.bits(picture(type), 5) / 30_000).toBeCloseTo(1, 1);
  });

  it('knows pictures like those that it has learned, and no others', () => {
    const model = new BitModel(SHAPE);
    expect(model.hasLearnedLike(picture('P'), 5)).toBe(false);
    model.suppose(picture('P'), 9000, 5);
    expect(model.hasLearnedLike(picture('P'), 5)).toBe(false);
    model.learn(picture('P', 4), 9000, 5);
    expect([1, 3.5, 4, 5, 40].map(error => model.hasLearnedLike(picture('P', error), 5))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(model.hasLearnedLike({ ...picture('P'), errors: undefined }, 5)).toBe(false);
    expect(model.hasLearnedLike(picture('B', 4), 5)).toBe(false);
  });

  it('forgets what it supposed when the first picture is learned', () => {
    const [model, fresh] = [new BitModel(SHAPE), new BitModel(SHAPE)];
    model.suppose(picture('P', 4), 90_000, 5);
    for (const each of [model, fresh]) each.learn(picture('P', 16), 30_000, 5);
    for (const scale of [2, 5, 20]) {
      expect(model.bits(picture('P', 4), scale)).toBe(fresh.bits(picture('P', 4), scale));
    }
  });

  it('compares pictures with the newest that it has learned', () => {
    const model = new BitModel(SHAPE);
    for (const error of [4, 40]) model.learn(picture('P', error), 9000, 5);
    expect([4, 40].map(error => model.hasLearnedLike(picture('P', error), 5))).toEqual([false, true]);
  });

  it.each([1, 1e9])('has bits at all scales, which fall as the scale rises, where pictures took %i bits', bits => {
    const model = new BitModel(SHAPE);
    for (let i = 0; i < 6; i++) model.learn(picture('I', 200), bits, 31);
    for (const error of [0, 200]) {
      for (const scale of [1, 5, 31]) {
        const expected = model.bits(picture('I', error), scale);
        expect(expected).toBeGreaterThan(0);
        expect(expected).toBeGreaterThanOrEqual(model.bits(picture('I', error), scale * 1.5));
        expect(expected).toBeLessThan(1e12);
      }
    }
  });

  it('expects more of a type that is not known where another one took more', () => {
    const model = new BitModel(SHAPE);
    const before = model.bits(picture('P'), 4);
    model.learn(picture('I'), 3 * model.bits(picture('I'), 4), 4);
    expect(model.bits(picture('P'), 4)).toBeGreaterThan(1.3 * before);
    model.restart();
    expect(model.bits(picture('P'), 4)).toBe(before);
  });
});

describe('steps of the base scale', () => {
  it('are bounded from anchor to anchor, but at the start', () => {
    const steps = new BaseScaleSteps();
    expect(steps.nearest('I', 0, 30)).toBe(30);
    steps.take('I', 10);
    expect(steps.nearest('P', 3, 30)).toBe(30);
    expect(steps.nearest('P', 4, 30)).toBeCloseTo(13.5);
    expect(steps.nearest('B', 4, 1)).toBeCloseTo(10 / 1.15);
    steps.take('B', 30);
    expect(steps.nearest('P', 5, 30)).toBeCloseTo(13.5);
    steps.restart();
    expect(steps.nearest('P', 6, 30)).toBe(30);
  });
});

describe('the warning of a rate', () => {
  const twoPasses = { firstPass: {} as RateSettings['firstPass'] };
  const messageFor = (scale: number, bits: number, pictureBits: number, others: Partial<RateSettings> = {}) => {
    const warning = new RateWarning(new BitModel(SHAPE));
    for (let i = 0; i < 10; i++) warning.add(picture('P'), bits, scale, false);
    return warning.message(10 * bits, { pictureBits, firstPass: undefined, buffer: undefined, ...others });
  };
  it('says nothing of a rate that is kept', () => {
    expect(messageFor(31, 1020, 1000)).toBeUndefined();
    expect(messageFor(31, 1020, 1000, twoPasses)).toMatch(/too low/);
  });
  it('says that a rate is out of reach only where the ends of the scale are', () => {
    expect(messageFor(31, 1300, 1000)).toMatch(
      /^the bit rate is too low: .* 1\.30 times as much .* quantizer_scale, 31$/,
    );
    expect(messageFor(24, 3000, 1000)).toMatch(/^the stream does not keep to the bit rate/);
    expect(messageFor(29.5, 1035, 1000)).toMatch(/^the stream does not keep to the bit rate/);
    expect(messageFor(4, 1300, 1000)).toMatch(/^the stream does not keep to the bit rate.*two passes/);
    expect(messageFor(1, 700, 1000)).toMatch(
      /^the bit rate is higher than needed: .* 0\.70 times .* quantizer_scale, 1$/,
    );
    expect(messageFor(4, 700, 1000, twoPasses)).toMatch(
      /does not keep to the bit rate, it takes 0\.70 times.*expected$/,
    );
  });
  it('takes pictures of sparse macroblocks for coarser ones than any scale makes', () => {
    const warning = new RateWarning(new BitModel(SHAPE));
    for (let i = 0; i < 10; i++) warning.add(picture('P'), 1300, 8, true);
    const settings = { pictureBits: 1000, firstPass: undefined, buffer: undefined };
    expect(warning.message(13_000, settings)).toMatch(/^the bit rate is too low/);
  });
  it("says where bits are lost because the decoder's buffer is full", () => {
    const buffer = { isConstantRate: false, fillBits: 1100, sizeBits: 4000, startBits: 4000 };
    const lost = /does not keep to the bit rate.* 0\.70 times.* a larger one or a higher peak rate helps$/;
    expect(messageFor(4, 700, 1000, { ...twoPasses, buffer })).toMatch(lost);
    expect(messageFor(4, 1300, 1000, { buffer })).not.toMatch(/peak rate/);
    expect(messageFor(4, 700, 1000, { buffer: { ...buffer, isConstantRate: true } })).not.toMatch(/peak rate/);
  });
});
