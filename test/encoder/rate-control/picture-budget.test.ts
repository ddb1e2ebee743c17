// A picture's budget, how the bits of pictures spread over rows, and complexities.
import { describe, expect, it } from 'vitest';
import { bitsAt, complexityOf, scaleFactorFor } from '../../../src/encoder/rate-control/forecast/picture-complexity.js';
import {
  type BudgetSettings,
  LOOSE_CORRECTION,
  PictureBudget,
  rowComplexities,
  sparseLimit,
  TIGHT_CORRECTION,
} from '../../../src/encoder/rate-control/picture-budget.js';
import { RowProfile } from '../../../src/encoder/rate-control/row-profile.js';

const ROWS = 18;
const settings: BudgetSettings = {
  type: 'P',
  rows: ROWS,
  scale: 2.3,
  targetBits: 18_000,
  maxBits: 40_000,
  correction: LOOSE_CORRECTION,
  toleranceBits: Number.POSITIVE_INFINITY,
  payableBits: Number.POSITIVE_INFINITY,
  plannedScale: 2.3,
  sparseCoding: 'never',
  mayBeRepeated: false,
  isAwaited: false,
  anchorScale: 2.3,
  sharesAbove: undefined,
};

/** The scales of all rows when each costs what `bitsOfRow` says. */
function scales(budget: PictureBudget, bitsOfRow: (row: number) => number): number[] {
  let bits = 0;
  return Array.from({ length: ROWS }, (_, row) => {
    const scale = budget.rowScale(row, bits);
    bits += bitsOfRow(row);
    return scale;
  });
}

describe('the budget of a picture', () => {
  it('gives all rows its scale where nothing is known of them', () => {
    const found = scales(new PictureBudget(settings), () => 1000);
    expect(found).toEqual(new Array(ROWS).fill(2.3));
  });

  it('answers to rows that cost more, or less, than rows like them did before', () => {
    const profile = new RowProfile();
    profile.learn('P', new Float64Array(ROWS).fill(1));
    const sharesAbove = profile.sharesAbove('P');
    const costly = scales(
      new PictureBudget({ ...settings, scale: 8, correction: TIGHT_CORRECTION, sharesAbove }),
      () => 1500,
    );
    const cheap = scales(
      new PictureBudget({ ...settings, scale: 8, correction: TIGHT_CORRECTION, sharesAbove }),
      () => 500,
    );
    expect(costly[0]).toBe(8);
    expect(costly[ROWS - 1]).toBeGreaterThan(12);
    expect(cheap[ROWS - 1]).toBeLessThan(6);
    const loose = scales(new PictureBudget({ ...settings, scale: 8, sharesAbove }), () => 1500);
    expect(Math.max(...loose)).toBeLessThanOrEqual(10);
  });

  it('makes cheap rows finer by no more than its divisor, and notes the scale of each row', () => {
    const sharesAbove = Float64Array.from({ length: ROWS }, (_, row) => row / ROWS);
    const correction = { exponent: 2, maxFactor: 6, maxDivisor: 1.1 };
    const budget = new PictureBudget({ ...settings, scale: 8, correction, sharesAbove });
    const found = scales(budget, () => 10);
    expect(Math.min(...found)).toBeCloseTo(8 / 1.1);
    expect([...budget.rows.scales]).toEqual(found);
    expect([...budget.rows.bits]).toEqual(Array.from({ length: ROWS }, (_, row) => 10 * row));
    const coarse = new PictureBudget({ ...settings, scale: 20, correction, sharesAbove });
    expect(Math.max(...scales(coarse, () => 9000))).toBe(31);
    expect(Math.max(...coarse.rows.scales)).toBe(31);
  });

  it('codes sparsely once the macroblocks that are left might not fit otherwise', () => {
    const limit = sparseLimit({ ...settings, type: 'I', sparseCoding: 'near-limit' });
    expect(limit.coding).toBe('near-limit');
    expect(100 * limit.macroblockBits).toBeLessThan(limit.maxBits);
    expect(30_000 + 100 * limit.macroblockBits).toBeGreaterThan(limit.maxBits);
    expect(limit.maxBits).toBeLessThan(settings.maxBits);
    expect(sparseLimit(settings).coding).toBe('never');
  });
});

describe('the profile of rows', () => {
  it('has the share of the rows above each, by type', () => {
    const profile = new RowProfile();
    profile.learn('P', Float64Array.of(100, 200, 100));
    expect([...profile.sharesAbove('P')!]).toEqual([0, 0.25, 0.75]);
    expect(profile.sharesAbove('I')).toBeUndefined();
  });

  it('learns how the bits spread, whether a picture has many or few', () => {
    const above = (factor: number) => {
      const profile = new RowProfile();
      profile.learn('P', Float64Array.of(100, 200, 100));
      profile.learn('P', Float64Array.of(0, 0, factor));
      return [...profile.sharesAbove('P')!];
    };
    expect(above(1)).toEqual(above(1024));
    expect(above(1)[2]).toBeLessThan(0.75);
  });

  it('is made of the complexity of each row: the last one has the rest of the bits of the picture', () => {
    const rows = { bits: Float64Array.of(50, 150), scales: Float64Array.of(4, 8) };
    expect([...rowComplexities(rows, 450)]).toEqual([complexityOf(100, 4), complexityOf(300, 8)]);
  });
});

describe('complexity', () => {
  it('is the inverse of the bits at a scale', () => {
    for (const scale of [1, 2.5, 31]) expect(bitsAt(complexityOf(5000, scale), scale)).toBeCloseTo(5000);
    expect(bitsAt(complexityOf(5000, 4), 4 * scaleFactorFor(2))).toBeCloseTo(2500);
  });
});
