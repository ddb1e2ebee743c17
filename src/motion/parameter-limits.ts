// Bounds of the estimator parameters, and the check that a parameter is a whole number within its bounds.
import { MAX_WIDTH } from '../bitstream/limits.js';
import { OptionError } from '../errors.js';

/** Largest width and height of a picture in pels: the largest display width of MPEG-1 in whole macroblocks. */
export const MAX_SIDE = 16 * Math.ceil(MAX_WIDTH / 16);

/** Largest search range per axis in pels: no vector inside a picture is longer. */
export const MAX_RANGE = MAX_SIDE - 1;

/** Largest lambda: with it, every cost still fits 31 bits. */
export const MAX_LAMBDA = 1_000_000;

/** Throws an OptionError unless `value` is a whole number from `min` to `max`; `legal` is the end of its message. */
export function requireWhole(
  option: string,
  value: number,
  min: number,
  max: number,
  legal = `whole numbers ${min}..${max}`,
): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new OptionError(option, named => `${named(option)} is ${value}; legal: ${legal}`);
}
