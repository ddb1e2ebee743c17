// What macroblocks cost by the error of their best prediction, from a table.
import { MACROBLOCK_SIZE } from '../../picture/picture.js';

/**
 * Squared error of an anchor, which its quantizer leaves, as a part of the quantizer's squared error: the best of 0.2,
 * 0.3 and 0.4 on nine clips, with the constants of the type decider as they are.
 */
const ANCHOR_ERROR = 0.3;
const PELS = MACROBLOCK_SIZE ** 2;
/** No macroblock has a greater error: its deviation from the means of its blocks is at most 127.5 a pel. */
const MAX_ERROR = 128 * PELS;

/**
 * Rate-distortion cost of macroblocks in units of the quantizer's squared error. A macroblock whose relative squared
 * error p is below 1 is not coded and costs its distortion, p. Another one costs 1 + ln p: the quantizer's distortion
 * and its own rate. The anchors' errors are added to p; where two are averaged, half of that.
 */
export class CodingCosts {
  readonly #fromOneAnchor: Float64Array;
  readonly #fromTwoAnchors: Float64Array;

  /** `quantizerError` is the mean absolute error that the quantizer leaves. */
  constructor(quantizerError: number) {
    this.#fromOneAnchor = costTable(quantizerError, ANCHOR_ERROR);
    this.#fromTwoAnchors = costTable(quantizerError, ANCHOR_ERROR / 2);
  }

  /** Mean cost of macroblocks that are predicted from one anchor or two, with the SADs `sad`, or else coded intra. */
  mean(sad: Uint32Array, intra: Uint16Array, anchors: 1 | 2): number {
    const costs = anchors === 1 ? this.#fromOneAnchor : this.#fromTwoAnchors;
    let total = 0;
    for (let address = 0; address < sad.length; address++) total += costs[Math.min(sad[address]!, intra[address]!)]!;
    return total / sad.length;
  }
}

/** The costs by the sum of absolute errors of a macroblock. */
function costTable(quantizerError: number, anchorError: number): Float64Array {
  const perError = 1 / (PELS * quantizerError);
  return Float64Array.from({ length: MAX_ERROR + 1 }, (_, error) => {
    const relativeError = error * perError;
    const power = relativeError * relativeError + anchorError;
    return power < 1 ? power : 1 + Math.log(power);
  });
}
