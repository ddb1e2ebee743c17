// Better budgets for a picture that is coded again.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import { log2, power } from '../../portable-math.js';
import { clampScale } from '../quantizer/picture-scale.js';
import { scaleFactorFor } from './forecast/picture-complexity.js';
import { type BudgetSettings, TIGHT_CORRECTION } from './picture-budget.js';
import type { CodingAttempt } from './picture-rate.js';

// None of the following is measured by itself.
/** A picture's target is at most this part of its limit. */
export const MAX_TARGET_PART = 0.9;
/** How often a picture that misses its target is coded again, at most. */
const MAX_LAST_ATTEMPTS = 3;
/** The scale of one of the last pictures then differs from the planned one by at most this factor, ... */
const MAX_LAST_CHANGE = 1.25;
/** ... and from that of the attempt before by at least this part. */
const MIN_LAST_CHANGE = 0.004;
/** The same factor for a picture that the others cannot make up for. */
const MAX_PAYING_CHANGE = 1.6;
/** Bits are taken to be proportional to scale^-exponent. After one attempt the exponent is this one; ... */
const FIRST_EXPONENT = 2;
/** ... after two, it is what they show, within these bounds. */
const MIN_EXPONENT = 1;
const MAX_EXPONENT = 12;
/** The first picture of a type is coded again if its scale changes by at least this part, ... */
const MIN_SCALE_CHANGE = 0.05;
/** ... and at most this many times. */
const MAX_GUESSES = 3;
/** How often a picture is coded again with a coarser scale before macroblocks are coded sparsely. */
const MAX_COARSER_ATTEMPTS = 2;
/** From this scale on no coarser one is tried: it would be MAX_QUANTIZER_SCALE in nearly all rows. */
const MAX_COARSENED_SCALE = 30.5;

/**
 * A budget for a picture that exceeded its limit in an attempt. Undefined if it was coded as sparsely as the syntax
 * allows.
 */
export function fittingBudget({ budget, bits, scale, attempts }: CodingAttempt): BudgetSettings | undefined {
  const { maxBits, sparseCoding } = budget;
  if (sparseCoding === 'always') return undefined;
  if (sparseCoding === 'near-limit') return { ...budget, sparseCoding: 'always' };
  if (!mayCoarsen(scale, attempts)) return { ...budget, scale: MAX_QUANTIZER_SCALE, sparseCoding: 'near-limit' };
  const lowerTarget = MAX_TARGET_PART * maxBits;
  const coarser = clampScale(Math.max(scale + 1, scale * scaleFactorFor(bits / lowerTarget)));
  return { ...budget, scale: coarser, targetBits: lowerTarget, correction: TIGHT_CORRECTION };
}

/**
 * A better budget for a picture that took more than the others can make up for, or for one of the last pictures, if it
 * missed its target by far.
 */
export function nearerToTarget({ budget, bits, scale, attempts }: CodingAttempt): BudgetSettings | undefined {
  const { toleranceBits, targetBits, payableBits, plannedScale } = budget;
  if (attempts >= MAX_LAST_ATTEMPTS) return undefined;
  const isPayable = bits <= payableBits;
  if (isPayable && Math.abs(bits - targetBits) <= toleranceBits) return undefined;
  const maxChange = isPayable ? MAX_LAST_CHANGE : MAX_PAYING_CHANGE;
  const factor = power(bits / targetBits, 1 / exponentOf(budget.before, { bits, scale }));
  const wanted = clampScale(scale * factor);
  const better = Math.max(plannedScale / maxChange, Math.min(plannedScale * maxChange, MAX_QUANTIZER_SCALE, wanted));
  if (Math.abs(better / scale - 1) < MIN_LAST_CHANGE || better === budget.scale) return undefined;
  return { ...budget, scale: clampScale(better), before: { bits, scale } };
}

/** The exponent by which bits fell as the scale rose from one attempt to the next; after one attempt, a guess. */
function exponentOf(before: BudgetSettings['before'], now: { readonly bits: number; readonly scale: number }): number {
  const change = before && log2(now.scale / before.scale);
  if (!change) return FIRST_EXPONENT;
  return Math.max(MIN_EXPONENT, Math.min(MAX_EXPONENT, -log2(now.bits / before.bits) / change));
}

/** Whether a picture whose bits were a guess is coded again with a better budget after an attempt. */
export function isWorthwhile(better: BudgetSettings, { scale, attempts }: CodingAttempt): boolean {
  return attempts < MAX_GUESSES && Math.abs(better.scale / scale - 1) >= MIN_SCALE_CHANGE;
}

function mayCoarsen(scale: number, attempts: number): boolean {
  return attempts < MAX_COARSER_ATTEMPTS && scale < MAX_COARSENED_SCALE;
}
