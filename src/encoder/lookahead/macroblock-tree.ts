// Quantizes finer what later pictures are predicted from, as x264's macroblock tree does.
import { MACROBLOCK_SIZE, type MacroblockGrid } from '../../picture/picture.js';
import { meanPictureScale } from '../quantizer/picture-scale.js';
import type { PredictedPicture } from './predicted-picture.js';
import { createNode, type Dependence, divisorsAt, type HandedWeights, type TreeNode } from './tree-node.js';

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
  readonly #nodes: TreeNode[] = [];
  /**
   * Running mean of the factors of P pictures, the last one's included; undefined before any. Factors are divided by
   * it, so that those of P pictures are 1 in the mean.
   */
  mean: number | undefined;

  constructor({ mbWidth, mbHeight }: Pick<MacroblockGrid, 'mbWidth' | 'mbHeight'>) {
    this.#mbWidth = mbWidth;
    this.#mbHeight = mbHeight;
    this.#stride = mbWidth + MARGIN;
    this.#noWeights = new Float64Array(this.#stride * (mbHeight + MARGIN));
  }

  /** Takes pictures in coded order; returns those that enough pictures follow. */
  push(pictures: readonly PredictedPicture[]): WeightedPicture[] {
    for (const picture of pictures) this.#nodes.push(createNode(picture, this.#mbWidth, this.#stride));
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
      const { plan, prediction, errors } = window[0]!;
      released.push({ plan, prediction, errors, scaleFactors: baseScale => this.#scaleFactors(window, baseScale) });
    }
    return released;
  }

  /** Factors of the first picture of a window, from the pictures after it. */
  #scaleFactors(window: readonly TreeNode[], baseScale: number): Float64Array {
    const { type } = window[0]!.plan;
    this.mean ??= this.#firstMean(window, baseScale);
    if (type === 'B') {
      return unweightedFactors(this.#mbWidth * this.#mbHeight, baseScale, this.mean);
    }
    const factors = this.#anchorFactors(window, baseScale);
    if (type === 'P') this.mean += MEAN_WEIGHT * (meanOf(factors) - this.mean);
    const mean = this.mean;
    for (let address = 0; address < factors.length; address++) factors[address]! /= mean;
    return factors;
  }

  /** Mean factor of the first P picture of a window. */
  #firstMean(window: readonly TreeNode[], baseScale: number): number {
    const first = window.findIndex(({ plan }) => plan.type === 'P');
    return first < 0 ? 1 : meanOf(this.#anchorFactors(window.slice(first), baseScale));
  }

  #anchorFactors(window: readonly TreeNode[], baseScale: number): Float64Array {
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
   * Hands the weights of a picture's macroblocks on to its anchors. `inherited`: by display number, what the
   * macroblocks of each picture have been handed, their own 1 left out.
   */
  #propagate(from: TreeNode, baseScale: number, inherited: Map<number, Float64Array>): void {
    const own = inherited.get(from.plan.displayNumber);
    if (own) {
      const divisors = divisorsAt(from, baseScale);
      for (const dependence of from.dependences) {
        this.#handOn(dependence, own, divisors, this.#inheritedOf(inherited, dependence.anchor));
      }
      return;
    }
    for (const { anchor, weights } of this.#handedByItself(from, baseScale)) {
      const to = this.#inheritedOf(inherited, anchor);
      for (let at = 0; at < to.length; at++) to[at]! += weights[at]!;
    }
  }

  #inheritedOf(inherited: Map<number, Float64Array>, displayNumber: number): Float64Array {
    const known = inherited.get(displayNumber) ?? new Float64Array(this.#noWeights.length);
    inherited.set(displayNumber, known);
    return known;
  }

  /** What a picture that inherits nothing hands on: the same in every window, as long as the base scale is. */
  #handedByItself(node: TreeNode, baseScale: number): readonly HandedWeights[] {
    if (node.handedScale !== baseScale) {
      const divisors = divisorsAt(node, baseScale);
      node.handed = node.dependences.map(dependence => {
        const weights = new Float64Array(this.#noWeights.length);
        this.#handOn(dependence, this.#noWeights, divisors, weights);
        return { anchor: dependence.anchor, weights };
      });
      node.handedScale = baseScale;
    }
    return node.handed;
  }

  /** Adds what the macroblocks of a picture hand on to the up to four of its anchor that each is predicted from. */
  #handOn(
    { match, right, below, share }: Dependence,
    own: Float64Array,
    divisors: Float64Array,
    to: Float64Array,
  ): void {
    const mbWidth = this.#mbWidth;
    const mbHeight = this.#mbHeight;
    const stride = this.#stride;
    for (let row = 0, address = 0; row < mbHeight; row++) {
      const weights = row * stride - address;
      for (const end = address + mbWidth; address < end; address++) {
        const handed = (share[address]! * (1 + own[weights + address]!)) / divisors[address]!;
        if (handed === 0) continue;
        const at = match[address]!;
        const toRight = handed * (right[address]! / MACROBLOCK_SIZE);
        const toLeft = handed - toRight;
        const partBelow = below[address]! / MACROBLOCK_SIZE;
        const partAbove = 1 - partBelow;
        to[at]! += toLeft * partAbove;
        to[at + 1]! += toRight * partAbove;
        to[at + stride]! += toLeft * partBelow;
        to[at + stride + 1]! += toRight * partBelow;
      }
    }
  }
}

/**
 * The factors of a B picture, from the mean of its anchors' factors. Nothing is predicted from it: its weight is 1, and
 * its scale an unweighted anchor's.
 */
export function unweightedFactors(macroblocks: number, baseScale: number, mean: number): Float64Array {
  return new Float64Array(macroblocks).fill(baseScale / mean / meanPictureScale('B', baseScale));
}

function meanOf(factors: Float64Array): number {
  let sum = 0;
  for (let address = 0; address < factors.length; address++) sum += factors[address]!;
  return sum / factors.length;
}
