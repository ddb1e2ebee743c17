// How many pictures the rate control lets begin before it knows what earlier ones took, and what it supposes of these.
import { describe, expect, it } from 'vitest';
import type { UpcomingPicture } from '../../../src/encoder/rate-control/forecast/bit-model.js';
import type { BudgetSettings } from '../../../src/encoder/rate-control/picture-budget.js';
import {
  feedbackDelay,
  type PictureResult,
  PicturesUnderWay,
} from '../../../src/encoder/rate-control/pictures-under-way.js';

const delay = (pass: 0 | 1 | 2, before: number, left: number) =>
  feedbackDelay(before, left, { pass, hasBuffer: false });

describe('the delay of the feedback', () => {
  it('grows slowly in one pass, which knows little at first', () => {
    expect([0, 9, 10, 24, 26, 27, 47, 48, 1000].map(before => delay(0, before, 1000))).toEqual([
      0, 0, 1, 2, 2, 3, 23, 24, 24,
    ]);
  });

  it.each([1, 2] as const)('is all pictures before at the start of pass %i of two', pass => {
    expect([0, 1, 10, 31, 32, 1000].map(before => delay(pass, before, 1000))).toEqual([0, 1, 10, 31, 32, 32]);
  });

  it('shrinks towards the end, so that the last pictures make up for all others', () => {
    expect([100, 20, 4, 0].map(left => delay(2, 60, left))).toEqual([25, 5, 1, 0]);
    expect([100, 20, 4, 0].map(left => delay(0, 60, left))).toEqual([24, 5, 1, 0]);
  });

  it('shrinks to a hundredth of all pictures at least', () => {
    expect([100, 20, 4, 0].map(left => delay(2, 1000, left))).toEqual([25, 10, 10, 10]);
    expect([100, 20, 4, 0].map(left => delay(0, 1000, left))).toEqual([24, 10, 10, 10]);
    expect(delay(2, 5000, 0)).toBe(32);
  });

  it('stays as it is to the end of a first pass, whose stream is dropped', () => {
    expect([100, 20, 1, 0].map(left => delay(1, 1000, left))).toEqual([32, 32, 32, 32]);
  });

  it('is that of an anchor and its B pictures where a buffer has to hold them', () => {
    expect(feedbackDelay(1000, 1000, { pass: 2, hasBuffer: true })).toBe(3);
  });
});

describe('pictures under way', () => {
  /** Pictures of these types that have begun, with targets of 1000, 2000 ... bits, of which 50 were expected. */
  const begun = (types: string) => {
    const underWay = new PicturesUnderWay();
    for (const [n, type] of [...types].entries()) {
      const budget = { type, targetBits: 1000 * (n + 1) } as BudgetSettings;
      underWay.begin({ codedNumber: n } as UpcomingPicture, budget, 50);
    }
    return underWay;
  };
  const result = (bits: number) => ({ bits }) as PictureResult;

  it('are accepted in any order, and known as accepted up to the first that is not', () => {
    const underWay = begun('IPBB');
    underWay.accept(1, result(10));
    expect([underWay.accepted, underWay.result(1)?.bits, underWay.result(0)]).toEqual([0, 10, undefined]);
    underWay.accept(0, result(20));
    expect(underWay.accepted).toBe(2);
    expect(underWay.count()).toEqual({ picture: { codedNumber: 0 }, result: result(20) });
    expect([underWay.counted, underWay.accepted, underWay.next]).toEqual([1, 2, 4]);
    for (const codedNumber of [3, 2]) underWay.accept(codedNumber, result(30));
    expect([underWay.counted, underWay.accepted, underWay.next]).toEqual([1, 4, 4]);
  });

  it('are taken to keep to their targets, or to exceed them as what is expected of them has grown since', () => {
    const underWay = begun('IPB');
    expect(underWay.expectedBits(2, () => 50)).toEqual([1000, 2000]);
    expect(underWay.expectedBits(3, ({ codedNumber }) => (codedNumber === 1 ? 150 : 50))).toEqual([1000, 6000, 3000]);
  });

  it('have an anchor among them as long as an I or P picture is not counted', () => {
    expect([begun('BIB'), begun('PB'), begun('BB'), begun('')].map(({ hasAnchor }) => hasAnchor)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
