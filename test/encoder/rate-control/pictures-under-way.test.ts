// What the rate control supposes of pictures that have begun and are not counted.
import { describe, expect, it } from 'vitest';
import type { UpcomingPicture } from '../../../src/encoder/rate-control/forecast/bit-model.js';
import type { BudgetSettings } from '../../../src/encoder/rate-control/picture-budget.js';
import { type PictureResult, PicturesUnderWay } from '../../../src/encoder/rate-control/pictures-under-way.js';

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
