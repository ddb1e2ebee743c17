// Complexity: how many bits a picture needs, independent of its scale.

import { power } from '../../../portable-math.js';

/**
 * Bits are proportional to scale^-SCALE_EXPONENT: between 1, where bits follow the quantizer's step, and the steeper
 * fall of sparse pictures. Not measured.
 */
const SCALE_EXPONENT = 1.15;

/** The complexity of a picture that took so many bits at a picture scale: bits * scale^1.15. */
export function complexityOf(bits: number, scale: number): number {
  return bits * power(scale, SCALE_EXPONENT);
}

/** The bits of a picture of a complexity at a picture scale. */
export function bitsAt(complexity: number, scale: number): number {
  return complexity / power(scale, SCALE_EXPONENT);
}

/** The factor of the scale that divides the bits by `factor`. */
export function scaleFactorFor(factor: number): number {
  return power(factor, 1 / SCALE_EXPONENT);
}
