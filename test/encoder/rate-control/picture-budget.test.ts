// Tests of a picture's budget and of complexities.
import { describe, expect, it } from 'vitest';
import { bitsAt, complexityOf, scaleFactorFor } from '../../../src/encoder/rate-control/forecast/picture-complexity.js';
import {
  type BudgetSettings,
  LOOSE_CORRECTION,
  PictureBudget,
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

  it('codes sparsely once the macroblocks that are left might not fit otherwise', () => {
    const limit = sparseLimit({ ...settings, type: 'I', sparseCoding: 'near-limit' });
    expect(limit.coding).toBe('near-limit');
    expect(100 * limit.macroblockBits).toBeLessThan(limit.maxBits);
    expect(30_000 + 100 * limit.macroblockBits).toBeGreaterThan(limit.maxBits);
    expect(limit.maxBits).toBeLessThan(settings.maxBits);
    expect(sparseLimit(settings).coding).toBe('never');
  });
});

describe('complexity', () => {
  it('is the inverse of the bits at a scale', () => {
    for (const scale of [1, 2.5, 31]) expect(bitsAt(complexityOf(5000, scale), scale)).toBeCloseTo(5000);
    expect(bitsAt(complexityOf(5000, 4), 4 * scaleFactorFor(2))).toBeCloseTo(2500);
  });
});
