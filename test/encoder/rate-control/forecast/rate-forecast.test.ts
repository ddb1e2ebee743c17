// The forecast without a first pass: which pictures share their bits, and what they have to pay back.
import { describe, expect, it } from 'vitest';
import type { PictureType } from '../../../../src/bitstream/picture-type.js';
import { meanPictureScale } from '../../../../src/encoder/quantizer/picture-scale.js';
import { typicalErrors } from '../../../../src/encoder/rate-control/forecast/bit-estimate.js';
import { BitModel, type UpcomingPicture } from '../../../../src/encoder/rate-control/forecast/bit-model.js';
import { forecastUpcoming } from '../../../../src/encoder/rate-control/forecast/rate-forecast.js';

const SHAPE = { macroblocks: 100, slices: 1 };
const GOP = 12;

/** The next pictures in coded order; a group begins at each of `starts`. */
function upcoming(pictures: number, starts: readonly number[]): UpcomingPicture[] {
  return Array.from({ length: pictures }, (_, n) => {
    const startsGroup = starts.includes(n);
    const type: PictureType = startsGroup ? 'I' : n % 3 === 0 ? 'P' : 'B';
    return { ...({} as UpcomingPicture), type, startsGroup, errors: typicalErrors(type, SHAPE.macroblocks) };
  });
}

const forecast = (pictures: readonly UpcomingPicture[], isEnd = false, model = new BitModel(SHAPE)) =>
  forecastUpcoming({ pictures, isEnd }, model, GOP);

describe('the pictures that share bits', () => {
  it('are those of whole groups, from eight pictures on', () => {
    expect(forecast(upcoming(30, [0, 12, 24])).sharingPictures).toBe(24);
    expect(forecast(upcoming(24, [4, 16])).sharingPictures).toBe(16);
    expect(forecast(upcoming(24, [8])).sharingPictures).toBe(8);
    expect(forecast(upcoming(24, [7])).sharingPictures).toBe(24);
  });

  it('are all that are left where no others follow, and then they pay the whole debt', () => {
    const { sharingPictures, debtShare, reachesEnd } = forecast(upcoming(16, [0, 12]), true);
    expect({ sharingPictures, debtShare, reachesEnd }).toEqual({ sharingPictures: 16, debtShare: 1, reachesEnd: true });
  });

  it('pay a part of the debt that grows with their number, never more than all of it', () => {
    const shares = [12, 24, 200].map(end => forecast(upcoming(end + 2, [0, end])).debtShare);
    expect(shares[0]).toBeLessThan(1);
    expect(shares[1]! / shares[0]!).toBeCloseTo(2);
    expect(shares[2]).toBe(1);
  });

  it('have the bits of all of them at the scale of their type', () => {
    const pictures = upcoming(30, [0, 12, 24]);
    const model = new BitModel(SHAPE);
    const wanted = pictures
      .slice(0, 24)
      .reduce((sum, picture) => sum + model.bits(picture, meanPictureScale(picture.type, 6)), 0);
    expect(forecast(pictures).sharedBits(6)).toBeCloseTo(wanted);
  });
});

describe('the least bits of the other pictures', () => {
  const pictures = upcoming(14, [0, 12]);
  /** How many times the bits that are expected of them at the coarsest scale. */
  const risk = (model: BitModel) => {
    const others = pictures.slice(1, 12).reduce((sum, picture) => sum + model.bits(picture, 31), 0);
    return forecast(pictures, false, model).leastOtherBits / others;
  };

  it('do not depend on the next picture', () => {
    const another = [{ ...pictures[0]!, errors: typicalErrors('I', 10_000) }, ...pictures.slice(1)];
    expect(forecast(another).leastOtherBits).toBe(forecast(pictures).leastOtherBits);
  });

  it('are at least what is expected of them, and more where their types are not known', () => {
    const model = new BitModel(SHAPE);
    const unknown = risk(model);
    for (const picture of pictures.slice(0, 4)) model.learn(picture, model.bits(picture, 8), 8);
    expect(risk(model)).toBeGreaterThan(1);
    expect(unknown).toBeGreaterThan(risk(model));
  });
});
