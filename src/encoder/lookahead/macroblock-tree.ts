// Quantizes finer what later pictures are predicted from, as x264's macroblock tree does.
import { MACROBLOCK_SIZE, type MacroblockGrid } from '../../picture/picture.js';
import { meanPictureScale } from '../quantizer/picture-scale.js';
import type { PredictedPicture } from './predicted-picture.js';

/** A picture with its scale factors. */
export interface WeightedPicture extends PredictedPicture {
  /**
   * The factors at a base scale. To be called in coded order, once a picture; undefined: all factors are 1.
   */
  readonly scaleFactors: ((baseScale: number) => Float64Array) | undefined;
}

/** How many pictures after a picture are known, in coded order, before it is weighed; not measured. */
const DEPTH = 16;
/**
 * scale factor = weight^-EXPONENT. Minimizing a squared error that counts w times asks for the step w^-0.5 at high
 * rates. Of 0.25, 0.33 and 0.45 the middle one saves most; x264 found the same.
 */
const EXPONENT = 0.33;
/** Greater weights count as this one: no scale factor below 0.35; not measured. */
const MAX_WEIGHT = 24;
/** Weight of the newest P picture in the running mean of their factors; not measured. */
const MEAN_WEIGHT = 0.2;
/** Columns and rows of macroblocks beyond the picture: a prediction at its edge has a part of nothing there. */
const MARGIN = 1;
const MACROBLOCK_BITS = Math.log2(MACROBLOCK_SIZE);

/** The part of a picture's prediction that comes from one anchor. */
interface Dependence {
  /** Display number of the anchor. */
  readonly anchor: number;
  /** The vectors of the macroblocks in pels. */
  readonly dx: Int16Array;
  readonly dy: Int16Array;
  /** The anchor's share of each macroblock's prediction: 0, 0.5 or 1. */
  readonly share: Float32Array;
}

interface Node extends PredictedPicture {
  /** Mean absolute error of the prediction of each macroblock; infinite where intra is better. */
  readonly error: Float32Array;
  readonly dependences: readonly Dependence[];
}

/**
 * The weight of a macroblock says how often its error is seen: once in its own picture, and again in each picture that
 * inherits it. Weights are propagated from the last known picture back to the first. Where the residual is too small
 * for the quantizer, the prediction's error is inherited; where it is coded, a new error takes its place. A prediction
 * with the mean absolute error e hands on the part 1 / (1 + (e / quantizer_scale)^2), so fine quantizers propagate
 * little: at high rates anchors and B pictures have similar scales, at low rates very different ones.
 *
 * Source: x264's macroblock tree (Garrett-Glaser, 2009), which propagates saved bits instead and ignores the quantizer.
 */
export class MacroblockTree {
  readonly #mbWidth: number;
  readonly #mbHeight: number;
  /** Macroblocks in a row of weights: weights handed on beyond the picture fall into the margin and are lost. */
  readonly #stride: number;
  readonly #noWeights: Float64Array;
  readonly #nodes: Node[] = [];
  /**
   * Running mean of the factors of P pictures; factors are divided by it, so that those of P pictures are 1 in the
   * mean.
   */
  #mean: number | undefined;

  constructor({ mbWidth, mbHeight }: Pick<MacroblockGrid, 'mbWidth' | 'mbHeight'>) {
    this.#mbWidth = mbWidth;
    this.#mbHeight = mbHeight;
    this.#stride = mbWidth + MARGIN;
    this.#noWeights = new Float64Array(this.#stride * (mbHeight + MARGIN));
  }

  /** Takes pictures in coded order; returns those that enough pictures follow. */
  push(pictures: readonly PredictedPicture[]): WeightedPicture[] {
    for (const picture of pictures) this.#nodes.push(node(picture));
    return this.#release(DEPTH);
  }

  /** No more pictures: returns the rest. */
  end(): WeightedPicture[] {
    return this.#release(0);
  }

  #release(kept: number): WeightedPicture[] {
    const released: WeightedPicture[] = [];
    for (; this.#nodes.length > kept; this.#nodes.shift()) {
      const window = [...this.#nodes];
      const { plan, prediction } = window[0]!;
      released.push({ plan, prediction, scaleFactors: baseScale => this.#scaleFactors(window, baseScale) });
    }
    return released;
  }

  /** Factors of the first picture of a window, from the pictures after it. */
  #scaleFactors(window: readonly Node[], baseScale: number): Float64Array {
    const { type } = window[0]!.plan;
    this.#mean ??= this.#firstMean(window, baseScale);
    if (type === 'B') {
      // Nothing is predicted from B pictures: their weight is 1, and their scale an unweighted anchor's.
      const factor = baseScale / this.#mean / meanPictureScale('B', baseScale);
      return new Float64Array(this.#mbWidth * this.#mbHeight).fill(factor);
    }
    const factors = this.#anchorFactors(window, baseScale);
    if (type === 'P') this.#mean += MEAN_WEIGHT * (meanOf(factors) - this.#mean);
    const mean = this.#mean;
    return factors.map(factor => factor / mean);
  }

  /** Mean factor of the first P picture of a window. */
  #firstMean(window: readonly Node[], baseScale: number): number {
    const first = window.findIndex(({ plan }) => plan.type === 'P');
    return first < 0 ? 1 : meanOf(this.#anchorFactors(window.slice(first), baseScale));
  }

  #anchorFactors(window: readonly Node[], baseScale: number): Float64Array {
    const inherited = new Map<number, Float64Array>();
    for (let i = window.length - 1; i > 0; i--) this.#propagate(window[i]!, baseScale, inherited);
    const own = inherited.get(window[0]!.plan.displayNumber);
    const factors = new Float64Array(this.#mbWidth * this.#mbHeight).fill(1);
    if (!own) return factors;
    for (let row = 0, address = 0; row < this.#mbHeight; row++) {
      const first = row * this.#stride - row * this.#mbWidth;
      for (const end = address + this.#mbWidth; address < end; address++) {
        factors[address] = Math.min(MAX_WEIGHT, 1 + own[first + address]!) ** -EXPONENT;
      }
    }
    return factors;
  }

  /**
   * Hands the weights of a picture's macroblocks on to the up to four macroblocks of an anchor that each is predicted
   * from. `inherited`: by display number, what the macroblocks of each picture have been handed, their own 1 left out.
   */
  #propagate({ plan, error, dependences }: Node, baseScale: number, inherited: Map<number, Float64Array>): void {
    const mbWidth = this.#mbWidth;
    const mbHeight = this.#mbHeight;
    const stride = this.#stride;
    const own = inherited.get(plan.displayNumber) ?? this.#noWeights;
    const perSquaredScale = 1 / (baseScale * baseScale);
    for (const { anchor, dx, dy, share } of dependences) {
      const to = inherited.get(anchor) ?? new Float64Array(this.#noWeights.length);
      inherited.set(anchor, to);
      for (let row = 0; row < mbHeight; row++) {
        for (let column = 0; column < mbWidth; column++) {
          const address = row * mbWidth + column;
          const e = error[address]!;
          const handed = (share[address]! * (1 + own[row * stride + column]!)) / (1 + e * e * perSquaredScale);
          if (handed === 0) continue;
          const x = column * MACROBLOCK_SIZE + dx[address]!;
          const y = row * MACROBLOCK_SIZE + dy[address]!;
          const at = (y >> MACROBLOCK_BITS) * stride + (x >> MACROBLOCK_BITS);
          const right = (handed * (x & (MACROBLOCK_SIZE - 1))) / MACROBLOCK_SIZE;
          const left = handed - right;
          const below = (y & (MACROBLOCK_SIZE - 1)) / MACROBLOCK_SIZE;
          to[at]! += left * (1 - below);
          to[at + 1]! += right * (1 - below);
          to[at + stride]! += left * below;
          to[at + stride + 1]! += right * below;
        }
      }
    }
  }
}

function node({ plan, prediction }: PredictedPicture): Node {
  if (!prediction) return { plan, prediction, error: new Float32Array(0), dependences: [] };
  const { intra, sad, motion, anchorShares } = prediction;
  const error = new Float32Array(sad.length);
  for (let address = 0; address < error.length; address++) {
    error[address] = sad[address]! > intra[address]! ? Number.POSITIVE_INFINITY : sad[address]! / MACROBLOCK_SIZE ** 2;
  }
  const dependences = motion.map(({ dx, dy }, i) => {
    const anchor = i === 0 ? plan.forward! : plan.backward!;
    return { anchor, dx, dy, share: anchorShares[i]! };
  });
  return { plan, prediction, error, dependences };
}

function meanOf(factors: Float64Array): number {
  return factors.reduce((sum, factor) => sum + factor, 0) / factors.length;
}
