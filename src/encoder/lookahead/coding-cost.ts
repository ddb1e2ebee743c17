// What macroblocks cost by the error of their best prediction.
import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import type { PicturePrediction } from './analysis/picture-analyst.js';
import type { SourceCosts } from './analysis/source-costs.js';

/** What the cost of a picture depends on. */
type CodedPrediction = Pick<PicturePrediction, 'sad' | 'noise' | 'intra'>;

/**
 * Mean absolute error that a quantizer leaves, per unit of quantizer_scale. Fitted with the constants of the type
 * decider.
 */
export const ERROR_PER_SCALE = 2.52;
/**
 * Squared error of an anchor, which its quantizer leaves, as a part of the quantizer's squared error. Fitted with the
 * constants of the type decider.
 */
const ANCHOR_ERROR = 0.27;
/** How many times the noise that an anchor loses counts. Of 1 and 2 the better on three noisy clips. */
const LOST_NOISE = 2;
const PELS = MACROBLOCK_SIZE ** 2;

/**
 * Rate-distortion cost of macroblocks in units of the quantizer's squared error. A macroblock whose relative squared
 * error p is below 1 is not coded and costs its distortion, p. Another one costs 1 + ln p: the quantizer's distortion
 * and its own rate.
 *
 * The coder predicts from anchors that are coded. Their errors are added to p, and the noise that they lose is taken
 * away: p has it from the source pictures. Where two anchors are averaged, half of either.
 */
export class CodingCosts {
  readonly #quantizerError: number;

  /** `quantizerError` is the mean absolute error that the quantizer leaves. */
  constructor(quantizerError: number) {
    this.#quantizerError = quantizerError;
  }

  /**
   * Mean cost of macroblocks that are predicted from one anchor or two, with the SADs `sad`, or else coded intra.
   * `noise` is the mean absolute noise of a pel. `source` adds up; its grid has these macroblocks.
   */
  mean({ sad, noise, intra }: CodedPrediction, anchors: 1 | 2, source: SourceCosts): number {
    const anchorShare = 1 / anchors;
    const perError = 1 / (PELS * this.#quantizerError);
    const anchorError = anchorShare * ANCHOR_ERROR;
    const noiseShare = anchorShare * LOST_NOISE;
    const lostNoise = Math.min(1, (noise / this.#quantizerError) ** 2);
    const maxLost = 1 / (1 + anchorShare);
    const parameters = [perError, anchorError, noiseShare, lostNoise, maxLost] as const;
    return source.sumCodingCosts(sad, intra, parameters) / sad.length;
  }
}
