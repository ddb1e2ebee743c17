// Quantizes finer what later pictures are predicted from, as x264's macroblock tree does.
import { meanPictureScale } from '../quantizer/picture-scale.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { PredictedPicture } from './predicted-picture.js';
import { TreeMemory } from './tree-memory.js';

/** A picture with its scale factors. */
export interface WeightedPicture extends PredictedPicture {
  /**
   * The factors at a base scale. To be called in coded order, once a picture; undefined: all factors are 1.
   */
  readonly scaleFactors: ((baseScale: number) => Float64Array) | undefined;
}

/** The options that the tree depends on. */
type TreeOptions = Pick<EncoderSettings, 'grid' | 'pattern' | 'kernels'>;

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
  readonly #memory: TreeMemory;
  readonly #pictures: PredictedPicture[] = [];
  /**
   * Running mean of the factors of P pictures, the last one's included; undefined before any. Factors are divided by
   * it, so that those of P pictures are 1 in the mean.
   */
  mean: number | undefined;

  private constructor({ mbWidth, mbHeight }: TreeOptions['grid'], memory: TreeMemory) {
    this.#mbWidth = mbWidth;
    this.#mbHeight = mbHeight;
    this.#memory = memory;
  }

  /** A tree of pictures that come in groups of an anchor and the B pictures before it, or singly. */
  static async create({ grid, pattern, kernels }: TreeOptions): Promise<MacroblockTree> {
    return new MacroblockTree(grid, await TreeMemory.create(grid, DEPTH + 2 + pattern.bFrames, kernels));
  }

  /** Takes pictures in coded order; returns those that enough pictures follow. */
  push(pictures: readonly PredictedPicture[]): WeightedPicture[] {
    this.#pictures.push(...pictures);
    return this.#release(DEPTH);
  }

  /** No more pictures: returns the rest. */
  end(): WeightedPicture[] {
    return this.#release(0);
  }

  #release(kept: number): WeightedPicture[] {
    const released: WeightedPicture[] = [];
    for (; this.#pictures.length > kept; this.#pictures.shift()) {
      const window = [...this.#pictures];
      released.push({ ...window[0]!, scaleFactors: baseScale => this.#scaleFactors(window, baseScale) });
    }
    return released;
  }

  /** Factors of the first picture of a window, from the pictures after it. */
  #scaleFactors(window: readonly PredictedPicture[], baseScale: number): Float64Array {
    const { type } = window[0]!.plan;
    this.mean ??= this.#firstMean(window, baseScale);
    if (type === 'B') {
      return new Float64Array(this.#mbWidth * this.#mbHeight).fill(unweightedFactor(baseScale, this.mean));
    }
    const factors = this.#anchorFactors(window, baseScale);
    if (type === 'P') this.mean += MEAN_WEIGHT * (meanOf(factors) - this.mean);
    const mean = this.mean;
    for (let address = 0; address < factors.length; address++) factors[address]! /= mean;
    return factors;
  }

  /** Mean factor of the first P picture of a window. */
  #firstMean(window: readonly PredictedPicture[], baseScale: number): number {
    const first = window.findIndex(({ plan }) => plan.type === 'P');
    return first < 0 ? 1 : meanOf(this.#anchorFactors(window.slice(first), baseScale));
  }

  #anchorFactors(window: readonly PredictedPicture[], baseScale: number): Float64Array {
    const factors = new Float64Array(this.#mbWidth * this.#mbHeight).fill(1);
    let at = this.#memory.inheritedBy(window, baseScale);
    if (at === undefined) return factors;
    const { values } = this.#memory;
    // Many weights are alike: 1 and the greatest.
    let weight = Number.NaN;
    let factor = 1;
    for (let row = 0, address = 0; row < this.#mbHeight; row++, at++) {
      for (const end = address + this.#mbWidth; address < end; address++, at++) {
        const next = Math.min(MAX_WEIGHT, 1 + values[at]!);
        if (next !== weight) {
          weight = next;
          factor = weight ** -EXPONENT;
        }
        factors[address] = factor;
      }
    }
    return factors;
  }
}

/**
 * The factor of all macroblocks of a B picture, from the mean of its anchors' factors. Nothing is predicted from it:
 * its weight is 1, and its scale an unweighted anchor's.
 */
export function unweightedFactor(baseScale: number, mean: number): number {
  return baseScale / mean / meanPictureScale('B', baseScale);
}

function meanOf(factors: Float64Array): number {
  let sum = 0;
  for (let address = 0; address < factors.length; address++) sum += factors[address]!;
  return sum / factors.length;
}
