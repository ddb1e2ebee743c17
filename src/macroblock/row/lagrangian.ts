// Lambda: how much distortion one bit is worth.

/**
 * Lambda is this times quantizer_scale^2 at coarse scales. High-rate theory: a uniform quantizer of step D leaves an
 * error of D^2 / 12 a coefficient, and one more bit a coefficient quarters it, so dDistortion/dBits = -D^2 ln 2 / 6 =
 * 0.116 D^2. Non-intra coefficients have D = 2 * quantizer_scale (weight 16), hence 0.46 * quantizer_scale^2. Video has
 * mostly zero coefficients, and the measured optimum is higher: about 0.55, 0.6, 0.75 and 0.8 at quantizer_scale 1, 2,
 * 3 and 4 (six clips), 0.85 from 8 on.
 */
export const SQUARED_ERROR_PER_BIT = 0.9;
/** The quantizer_scale at which the factor is half of that. */
export const HIGH_RATE_SCALE = 0.8;

/**
 * Lambda for squared errors: the squared error in pels that one bit is worth, at a scale 1..31, which need not be
 * whole.
 */
export function lambdaForSquaredError(scale: number): number {
  return (SQUARED_ERROR_PER_BIT * scale * scale * scale) / (scale + HIGH_RATE_SCALE);
}
