// The budgets of pictures that are coded again: coarser, sparser, or nearer to the target.
import { describe, expect, it } from 'vitest';
import type { BudgetSettings } from '../../../src/encoder/rate-control/picture-budget.js';
import { LOOSE_CORRECTION, TIGHT_CORRECTION } from '../../../src/encoder/rate-control/picture-budget.js';
import type { CodingAttempt } from '../../../src/encoder/rate-control/picture-rate.js';
import { fittingBudget, isWorthwhile, nearerToTarget } from '../../../src/encoder/rate-control/repeated-picture.js';

const BUDGET: BudgetSettings = {
  type: 'P',
  rows: 3,
  scale: 8,
  targetBits: 1000,
  maxBits: 10_000,
  correction: LOOSE_CORRECTION,
  toleranceBits: 50,
  payableBits: Number.POSITIVE_INFINITY,
  plannedScale: 8,
  sparseCoding: 'never',
  mayBeRepeated: true,
  isAwaited: true,
  anchorScale: 8,
  sharesAbove: undefined,
};

/** A picture that took `bits` with a budget, after so many earlier attempts. */
const attempt = (budget: BudgetSettings, bits: number, scale: number, attempts: number): CodingAttempt => ({
  budget,
  bits,
  scale,
  attempts,
});

describe('a picture above its limit', () => {
  it('is coded coarser twice, then sparsely near its limit, then sparsely throughout, and then no more', () => {
    const first = fittingBudget(attempt(BUDGET, 12_000, 8, 0))!;
    expect(first).toMatchObject({ sparseCoding: 'never', correction: TIGHT_CORRECTION });
    expect(first.scale).toBeGreaterThan(8);
    expect(first.targetBits).toBeLessThan(first.maxBits);
    expect(first.targetBits).toBeGreaterThan(BUDGET.targetBits);
    const second = fittingBudget(attempt(first, 11_000, first.scale, 1))!;
    expect(second.sparseCoding).toBe('never');
    expect(second.scale).toBeGreaterThan(first.scale);
    const third = fittingBudget(attempt(second, 10_500, second.scale, 2))!;
    expect(third).toMatchObject({ sparseCoding: 'near-limit', scale: 31 });
    const fourth = fittingBudget(attempt(third, 10_500, 31, 3))!;
    expect(fourth).toEqual({ ...third, sparseCoding: 'always' });
    expect(fittingBudget(attempt(fourth, 10_500, 31, 4))).toBeUndefined();
  });

  it('is coded sparsely at once where no coarser scale is left', () => {
    expect(fittingBudget(attempt(BUDGET, 12_000, 31, 0))!.sparseCoding).toBe('near-limit');
  });
});

describe('a picture that misses its target', () => {
  /** Bits that fall with the fourth power of the scale; the target is met at 8.8. */
  const bitsAt = (scale: number) => 1000 * (8.8 / scale) ** 4;

  it('is coded again only beyond the tolerance, to both sides', () => {
    for (const bits of [950, 1000, 1050]) expect(nearerToTarget(attempt(BUDGET, bits, 8, 0))).toBeUndefined();
    expect(nearerToTarget(attempt(BUDGET, 1051, 8, 0))!.scale).toBeGreaterThan(8);
    expect(nearerToTarget(attempt(BUDGET, 949, 8, 0))!.scale).toBeLessThan(8);
  });

  it('meets it in the third attempt, by what the first two show of its bits', () => {
    const second = nearerToTarget(attempt(BUDGET, bitsAt(8), 8, 0))!;
    expect(Math.abs(bitsAt(second.scale) - 1000)).toBeGreaterThan(50);
    const third = nearerToTarget(attempt(second, bitsAt(second.scale), second.scale, 1))!;
    expect(third.scale).toBeCloseTo(8.8);
  });

  it('is accepted after the fourth attempt', () => {
    expect(nearerToTarget(attempt(BUDGET, 2000, 8, 2))).toBeDefined();
    expect(nearerToTarget(attempt(BUDGET, 2000, 8, 3))).toBeUndefined();
  });

  it('changes more, and whatever the tolerance, where the others cannot pay for it', () => {
    const missed = { ...BUDGET, toleranceBits: 100_000 };
    expect(nearerToTarget(attempt(missed, 50_000, 8, 0))).toBeUndefined();
    const unpayable = nearerToTarget(attempt({ ...missed, payableBits: 2000 }, 50_000, 8, 0))!;
    expect(unpayable.scale).toBeGreaterThan(nearerToTarget(attempt(BUDGET, 50_000, 8, 0))!.scale);
    expect(nearerToTarget(attempt({ ...missed, payableBits: 2000 }, 2000, 8, 0))).toBeUndefined();
  });
});

it('a better guess is worth an attempt where the scale changes, be it finer or coarser, three times at most', () => {
  const isWorth = (scale: number, attempts = 0) =>
    isWorthwhile({ ...BUDGET, scale }, attempt(BUDGET, 1000, 10, attempts));
  expect([6, 9, 10, 10.1, 11, 15].map(scale => isWorth(scale))).toEqual([true, true, false, false, true, true]);
  expect([0, 1, 2, 3].map(attempts => isWorth(15, attempts))).toEqual([true, true, true, false]);
});
