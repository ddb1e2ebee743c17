/**
 * The exchange rate between bits and distortion. At high rate a uniform quantizer of step D leaves an error of D^2 / 12 a
 * coefficient and one bit more a coefficient quarters it, so dDistortion/dBits = -D^2 ln 2 / 6 = 0.116 D^2. Non-intra
 * coefficients have D = 2 * quantizer_scale (weight 16), hence 0.46 * quantizer_scale^2. At the rates video is coded at, most
 * coefficients are zero and the measured optimum lies higher: about 0.55, 0.6, 0.75 and 0.8 at quantizer_scale 1, 2, 3 and 4 (six clips), 0.85 from
 * 8 on.
 */
const SQUARED_ERROR_PER_BIT = 0.9;
/** The quantizer_scale at which it is half of that. */
const HIGH_RATE_SCALE = 0.8;

/** Lambda for squared errors in pels: what one bit may cost, at a quantizer_scale 1..31. */
export function lambdaForSquaredError(quantizerScale: number): number {
  return (
    (SQUARED_ERROR_PER_BIT * quantizerScale * quantizerScale * quantizerScale) / (quantizerScale + HIGH_RATE_SCALE)
  );
}

/** Lambda for sums of absolute differences: the square root of that for squared errors, here in 1/64 of squared pels. */
export function lambdaForAbsoluteError(lambda64: number): number {
  return Math.sqrt(lambda64 / 64);
}
