// The budgets of live pictures: what becomes of one that takes too much, and of an I picture larger than the buffer.
import { expect, it } from 'vitest';
import type { PictureType } from '../../../src/bitstream/picture-type.js';
import { LiveRate } from '../../../src/encoder/live/live-rate.js';
import { typicalErrors } from '../../../src/encoder/rate-control/forecast/bit-estimate.js';
import type { UpcomingPicture } from '../../../src/encoder/rate-control/forecast/bit-model.js';
import { resolveRate } from '../../../src/encoder/rate-control/rate-settings.js';
import { InputError } from '../../../src/errors.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

const grid = macroblockGrid(64, 48);
const gop = 12;

function liveRate(): LiveRate {
  const frameRate = { numerator: 25, denominator: 1 };
  const shape = { grid, frameRate, sliceRows: [0], gop, slices: 1, isLive: true, refreshed: 0 };
  return new LiveRate(resolveRate({ bitrate: 100_000 }, shape)!, { ...shape, pattern: { bFrames: 0 } });
}

const picture = (type: PictureType, codedNumber: number): UpcomingPicture => {
  return { ...({} as UpcomingPicture), type, codedNumber, errors: typicalErrors(type, 12) };
};

it('a picture above its limit is coded coarser, then sparsely throughout; then the buffer is too small', () => {
  const rate = liveRate();
  const upcoming = { pictures: [picture('I', 0)] };
  const budget = rate.begin(upcoming);
  const bits = budget.maxBits + 1;
  const coarser = rate.retry({ budget, bits, scale: budget.scale, attempts: 0 }, upcoming)!;
  expect(coarser.sparseCoding).toBe('near-limit');
  expect(coarser.scale).toBeGreaterThan(budget.scale);
  const sparse = rate.retry({ budget: coarser, bits, scale: coarser.scale, attempts: 1 }, upcoming)!;
  expect(sparse).toEqual({ ...coarser, sparseCoding: 'always' });
  expect(rate.retry({ budget: sparse, bits: bits - 1, scale: sparse.scale, attempts: 2 }, upcoming)).toBeUndefined();
  const tooLarge = () => rate.retry({ budget: sparse, bits, scale: sparse.scale, attempts: 2 }, upcoming);
  expect(tooLarge).toThrow(InputError);
  expect(tooLarge).toThrow(/^picture 0 takes at least \d+ bytes, .*: bitrate or vbvBytes has to be greater$/);
});

it('P pictures save no more bits for the next I picture than the buffer can hold, however many that would take', () => {
  /** The scale of a P picture in the middle of a group whose I picture took 8000 bits at a scale. */
  const scaleAfter = (intraScale: number) => {
    const rate = liveRate();
    for (let number = 0; number < 8; number++) {
      const [type, bits, scale] = number === 0 ? (['I', 8000, intraScale] as const) : (['P', 400, 8] as const);
      const budget = rate.begin({ pictures: [picture(type, number)] });
      const rows = { bits: new Float64Array(3).fill(bits / 3), scales: new Float64Array(3).fill(scale) };
      rate.accept(number, { bits, scale, rows, isLast: false, budget });
    }
    return rate.begin({ pictures: [picture('P', 8)] }).scale;
  };
  const expected = scaleAfter(8);
  for (const intraScale of [16, 24, 31]) expect(scaleAfter(intraScale) / expected).toBeCloseTo(1, 1);
});
