// How much of what a picture's quantizer still codes is noise, which no later picture takes over.
import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import type { PicturePrediction } from './analysis/picture-analyst.js';

/**
 * Squared error of a macroblock that differs from its match by noise alone, in units of the squared noise: both
 * pictures have noise, and the estimate of its mean absolute value is about 1.17 times too small (4.9 instead of 5.7
 * with ffmpeg's `noise=alls=12:allf=t`).
 */
const NOISE_ERROR = 2 * 1.17 ** 2;
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
