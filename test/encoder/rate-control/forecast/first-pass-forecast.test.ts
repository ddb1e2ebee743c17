// The forecast of a second pass: what the first one took, corrected by what this one takes.
import { describe, expect, it } from 'vitest';
import type { PictureType } from '../../../../src/bitstream/picture-type.js';
import { meanPictureScale } from '../../../../src/encoder/quantizer/picture-scale.js';
import { typicalErrors } from '../../../../src/encoder/rate-control/forecast/bit-estimate.js';
import { BitModel, type UpcomingPicture } from '../../../../src/encoder/rate-control/forecast/bit-model.js';
import { FirstPassForecast } from '../../../../src/encoder/rate-control/forecast/first-pass-forecast.js';

const MACROBLOCKS = 100;
const WINDOW = 24;
const BITS = { I: 90_000, P: 30_000, B: 9000 };
const typeOf = (index: number): PictureType => (index % 50 === 0 ? 'I' : index % 3 === 1 ? 'P' : 'B');

/** A first pass at one base scale. */
const firstPass = (pictures: number, baseScale: number) =>
  Array.from({ length: pictures }, (_, index) => {
    const type = typeOf(index);
    return { type, bits: BITS[type], quantizerScale: meanPictureScale(type, baseScale) };
  });

const picture = (index: number): UpcomingPicture => {
  const type = typeOf(index);
  return { ...({} as UpcomingPicture), type, errors: typicalErrors(type, MACROBLOCKS) };
};

/** The forecast after so many pictures: each took its bits of the first pass, times the factor of its type. */
function forecastAfter(pictures: number, { count = 100, baseScale = 6, factors = { I: 1, P: 1, B: 1 } } = {}) {
  const found = firstPass(count, baseScale);
  const passForecast = new FirstPassForecast(found, new BitModel({ macroblocks: MACROBLOCKS, slices: 1 }));
  for (let index = 0; index < pictures; index++) {
    const { type, bits, quantizerScale } = found[index]!;
    passForecast.forecast([picture(index)]);
    passForecast.advance();
    passForecast.learn(index, picture(index), factors[type] * bits, quantizerScale);
  }
  const upcoming = Array.from({ length: Math.min(WINDOW, count - pictures) }, (_, n) => picture(pictures + n));
  const left = found.slice(pictures);
  const forecast = passForecast.forecast(upcoming);
  /** Bits that are expected of a picture that comes so many later, as a multiple of those in the first pass. */
  const times = (ahead: number) => {
    const { bits, quantizerScale } = left[ahead]!;
    return forecast.pictures[ahead]!.bitsAt(quantizerScale) / bits;
  };
  const firstOf = (type: PictureType, from: number) =>
    from + left.slice(from).findIndex(candidate => candidate.type === type);
  return { passForecast, forecast, left, times, firstOf };
}

const sumOf = (pictures: readonly { readonly bits: number }[]) => pictures.reduce((sum, { bits }) => sum + bits, 0);

describe('the forecast of a second pass', () => {
  it('expects of all that are left what they took, at the scales that they had', () => {
    for (const pictures of [0, 1, 40, 90, 99]) {
      const { forecast, left, passForecast } = forecastAfter(pictures);
      expect(passForecast.left).toBe(left.length);
      expect(forecast.sharingPictures).toBe(left.length);
      expect(forecast.sharedBits(6) / sumOf(left)).toBeCloseTo(1, 6);
      for (const [ahead, { bits, quantizerScale }] of left.slice(0, 64).entries()) {
        expect(forecast.pictures[ahead]!.bitsAt(quantizerScale) / bits).toBeCloseTo(1, 6);
      }
    }
  });

  it('lists all pictures at the end, and says so', () => {
    for (const pictures of [30, 35, 36, 37, 99]) {
      const { forecast, left } = forecastAfter(pictures);
      expect(forecast.reachesEnd).toBe(forecast.pictures.length === left.length);
    }
    expect(forecastAfter(30).forecast.reachesEnd).toBe(false);
    expect(forecastAfter(99).forecast.reachesEnd).toBe(true);
  });

  it('knows what the others take at the coarsest scale, the next one left out', () => {
    const { forecast, left } = forecastAfter(10, { baseScale: 31 });
    expect(forecast.leastOtherBits / sumOf(left.slice(1))).toBeCloseTo(1, 6);
  });

  it('corrects the next pictures by those of their type, and later ones by all pictures', () => {
    const { times, firstOf, passForecast } = forecastAfter(60, { count: 200, factors: { I: 1, P: 2, B: 1 } });
    expect(passForecast.correction('P')).toBeCloseTo(2, 3);
    expect(passForecast.correction('B')).toBeCloseTo(1, 3);
    expect(times(firstOf('P', 0))).toBeCloseTo(2, 3);
    expect(times(firstOf('B', 0))).toBeCloseTo(1, 3);
    for (const type of ['P', 'B'] as const) {
      const later = times(firstOf(type, 18));
      expect(later).toBeGreaterThan(1.1);
      expect(later).toBeLessThan(1.9);
      // The same is expected of those that are not planned yet.
      expect(times(firstOf(type, WINDOW + 6))).toBeCloseTo(later, 6);
    }
  });

  it('expects more of all that are left where the pictures so far took more', () => {
    const { forecast, left } = forecastAfter(60, { count: 200, factors: { I: 2, P: 2, B: 2 } });
    const factor = forecast.sharedBits(6) / sumOf(left);
    expect(factor).toBeGreaterThan(1.4);
    expect(factor).toBeLessThan(2);
  });
});
