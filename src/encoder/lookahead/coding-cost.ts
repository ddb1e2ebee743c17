// What macroblocks cost by the error of their best prediction.
import { MACROBLOCK_SIZE } from '../../picture/picture.js';

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
/** The logarithm of a product is taken before the product leaves this: one factor more keeps it finite. */
const MAX_PRODUCT = 1e280;

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
   * `noise` is the mean absolute noise of a pel.
   */
  mean(sad: Uint16Array, intra: Uint16Array, anchors: 1 | 2, noise: number): number {
    const perError = 1 / (PELS * this.#quantizerError);
    const anchorShare = 1 / anchors;
    const anchorError = anchorShare * ANCHOR_ERROR;
    const noiseShare = anchorShare * LOST_NOISE;
    const lostNoise = Math.min(1, (noise / this.#quantizerError) ** 2);
    const maxLost = 1 / (1 + anchorShare);
    let total = 0;
    // A sum of logarithms is the logarithm of a product.
    let product = 1;
    for (let address = 0; address < sad.length; address++) {
      const relativeError = Math.min(sad[address]!, intra[address]!) * perError;
      const squared = relativeError * relativeError;
      const power = squared + anchorError - noiseShare * Math.min(lostNoise, squared * maxLost);
      if (power < 1) total += power;
      else {
        total++;
        product *= power;
        if (product > MAX_PRODUCT) {
          total += Math.log(product);
          product = 1;
        }
      }
    }
    return (total + Math.log(product)) / sad.length;
  }
}
