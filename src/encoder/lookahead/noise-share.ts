// How much of what a picture's quantizer still codes is noise, which no later picture takes over.

import { lambdaForSquaredError } from '../../macroblock/row/lagrangian.js';
import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import type { PicturePrediction } from './analysis/picture-analyst.js';

/** The estimate of the mean absolute noise is too small: 4.9 instead of 5.7 with ffmpeg's `noise=alls=12:allf=t`. */
const NOISE_ESTIMATE_FACTOR = 1.17;
/**
 * Squared error of a macroblock that differs from its match by noise alone, in units of the squared estimate: both
 * pictures have noise.
 */
const NOISE_ERROR = 2 * NOISE_ESTIMATE_FACTOR ** 2;
/** Variance of noise, in units of the squared estimate: that of a normal distribution with this mean absolute value. */
const NOISE_VARIANCE = (NOISE_ESTIMATE_FACTOR ** 2 * Math.PI) / 2;
/**
 * Where the noise is this part of the quantizer_scale, half of it counts: with coarser scales it falls into the dead
 * zone. Not measured.
 */
const CODED_NOISE = 0.5;

/** The part of a picture's residual, at a quantizer_scale, that is noise and reaches its levels: 0..1. */
export function noiseShare({ sad, intra, noise }: PicturePrediction, scale: number): number {
  if (noise === 0) return 0;
  const noiseError = NOISE_ERROR * (MACROBLOCK_SIZE ** 2 * noise) ** 2;
  let share = 0;
  for (let address = 0; address < sad.length; address++) {
    const error = Math.min(sad[address]!, intra[address]!);
    share += noiseError / Math.max(noiseError, error * error);
  }
  const lost = ((CODED_NOISE * scale) / noise) ** 2;
  return share / sad.length / (1 + lost * lost);
}

/**
 * The part of the weights of later pictures that the macroblocks of a picture inherit, 0..1; 1 without noise.
 *
 * The error of a good quantizer is not correlated with what it reconstructs, so its covariance with the residual is -D,
 * D its mean square. The picture's noise N is a part of the residual's variance V, and has the covariance -D * N / V
 * with the error. The next picture is predicted with both, the noise and the error. Its residual has the variance
 * V + D - 2 * D * N / V, so the part 1 - 2 * N / V of the error is inherited. `noiseShare` is 2 * N / V in source
 * pictures; a coded reference has lost D of its noise, and V is smaller by that. At high rates D is lambda / (2 ln 2).
 */
export function inheritedPart(prediction: PicturePrediction, scale: number): number {
  const share = noiseShare(prediction, scale);
  if (share === 0) return 1;
  const distortion = lambdaForSquaredError(scale) / (2 * Math.LN2);
  const lostNoise = Math.min(1, distortion / (NOISE_VARIANCE * prediction.noise ** 2));
  return Math.max(0, 1 - share / (1 - (lostNoise * share) / 2));
}
