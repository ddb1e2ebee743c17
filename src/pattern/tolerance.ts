// How far a place may differ from the pattern.
import { OptionError } from '../errors.js';
import { inWords } from '../given-options.js';

/** The largest error of a place, a mean over pels and components; see docs/locate.md for how it was chosen. */
export const DEFAULT_TOLERANCE = 10;
/** The largest error there is. */
export const MAX_TOLERANCE = 255;

/** Throws an OptionError unless the tolerance is a number from 0 to MAX_TOLERANCE. */
export function checkTolerance(tolerance: number): void {
  if (Number.isFinite(tolerance) && tolerance >= 0 && tolerance <= MAX_TOLERANCE) return;
  const legal = `legal: a number from 0 to ${MAX_TOLERANCE}`;
  throw new OptionError('tolerance', named => `${named('tolerance')} is ${inWords(tolerance)}; ${legal}`);
}

/** The largest sum of differences over `samples` samples whose mean is within the tolerance. */
export function largestSum(tolerance: number, samples: number): number {
  const sum = Math.floor(tolerance * samples);
  // The product is rounded; the quotient is what places report as their error.
  if (sum / samples > tolerance) return sum - 1;
  return (sum + 1) / samples <= tolerance ? sum + 1 : sum;
}
