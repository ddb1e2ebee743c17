// Quantizes finer what later pictures are predicted from, as x264's macroblock tree does.
import { meanPictureScale } from '../quantizer/picture-scale.js';
import { TREE_DEPTH } from '../settings/presets.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { inheritedPart } from './noise-share.js';
import type { PredictedPicture } from './predicted-picture.js';
import { TreeMemory } from './tree-memory.js';

/** A picture with the scale factors of its weights. */
export interface WeightedPicture extends PredictedPicture {
  /** The factors at a base scale. To be called in coded order, once a picture; undefined: all factors are 1. */
  readonly weightFactors: ((baseScale: number) => Float64Array) | undefined;
}

/** The settings that the tree depends on. */
type TreeSettings = Pick<EncoderSettings, 'grid' | 'pattern' | 'kernels' | 'rateMode'>;

/**
 * scale factor = weight^-EXPONENT. Minimizing a squared error that counts w times asks for the step w^-0.5 at high
 * rates. Of 0.25, 0.33 and 0.45 the middle one saves most; x264 found the same.
 */
const EXPONENT = 0.33;
/** Greater weights count as this one: no scale factor below 0.35; not measured. */
const MAX_WEIGHT = 24;
/** So many binary places of EXPONENT count. */
const EXPONENT_PLACES = 20;
/** Factors of so many weights a unit are known; those between are interpolated: 0.006 % too great, at most. */
const WEIGHTS_PER_UNIT = 32;
const KNOWN_FACTORS = Float64Array.from({ length: (MAX_WEIGHT - 1) * WEIGHTS_PER_UNIT + 2 }, (_, i) =>
  knownFactor(1 + i / WEIGHTS_PER_UNIT),
);
/** Weight of the newest P picture in the running mean of their factors; not measured. */
const MEAN_WEIGHT = 0.2;

/**
 * The weight of a macroblock says how often its error is seen: once in its own picture, and again in each picture that
 * inherits it. Weights are propagated from the last known picture back to the first. Where the residual is too small
 * for the quantizer, the prediction's error is inherited; where it is coded, a new error takes its place. A prediction
 * with the mean absolute error e hands on the part 1 / (1 + (e / quantizer_scale)^2), so fine quantizers propagate
 * little: at high rates anchors and B pictures have similar scales, at low rates very different ones.
 *
 * Noise is another matter: that of a picture is not in the next one, and what is coded of it is an error there. Only a
 * part of the weights is inherited then (`inheritedPart`). The mean of the factors is that without noise: what noise
 * takes makes anchors coarser, and does not make B pictures finer.
 *
 * Source: x264's macroblock tree (Garrett-Glaser, 2009), which propagates saved bits instead and ignores the quantizer.
 */
export class MacroblockTree {
  readonly #mbWidth: number;
  readonly #mbHeight: number;
  readonly #memory: TreeMemory;
  /** Not at a bit rate: the forecast of bits was fitted without, and missed rates by more. */
  readonly #discountsNoise: boolean;
  readonly #pictures: PredictedPicture[] = [];
  /**
   * Running mean of the factors that P pictures would have without noise, the last one's included; undefined before
   * any. Factors are divided by it, so that those of P pictures without noise are 1 in the mean.
   */
  mean: number | undefined;

  private constructor({ grid: { mbWidth, mbHeight }, rateMode }: TreeSettings, memory: TreeMemory) {
    this.#mbWidth = mbWidth;
    this.#mbHeight = mbHeight;
    this.#memory = memory;
    this.#discountsNoise = rateMode.kind !== 'bit-rate';
  }

  /** A tree of pictures that come in groups of an anchor and the B pictures before it, or singly. */
  static async create(settings: TreeSettings): Promise<MacroblockTree> {
    const { grid, pattern, kernels } = settings;
    return new MacroblockTree(settings, await TreeMemory.create(grid, TREE_DEPTH + 2 + pattern.bFrames, kernels));
  }

  /** Takes pictures in coded order; returns those that enough pictures follow. */
  push(pictures: readonly PredictedPicture[]): WeightedPicture[] {
    this.#pictures.push(...pictures);
    return this.#release(TREE_DEPTH);
  }

  /** No more pictures: returns the rest. */
  end(): WeightedPicture[] {
    return this.#release(0);
  }

  #release(kept: number): WeightedPicture[] {
    const released: WeightedPicture[] = [];
    for (; this.#pictures.length > kept; this.#pictures.shift()) {
      const window = [...this.#pictures];
      released.push({ ...window[0]!, weightFactors: baseScale => this.#weightFactors(window, baseScale) });
    }
    return released;
  }

  /** Factors of the first picture of a window, from the pictures after it. */
  #weightFactors(window: readonly PredictedPicture[], baseScale: number): Float64Array {
    const { type } = window[0]!.plan;
    this.mean ??= this.#firstMean(window, baseScale);
    if (type === 'B') return unweightedFactors(this.#mbWidth * this.#mbHeight, baseScale, this.mean);
    const at = this.#memory.inheritedBy(window, baseScale);
    const part = this.#discountsNoise ? partOf(window, baseScale) : 1;
    const factors = this.#anchorFactors(at, part);
    if (type === 'P') {
      const withoutNoise = part === 1 ? factors : this.#anchorFactors(at, 1);
      this.mean += MEAN_WEIGHT * (meanOf(withoutNoise) - this.mean);
    }
    const mean = this.mean;
    for (let address = 0; address < factors.length; address++) factors[address]! /= mean;
    return factors;
  }

  /** Mean factor of the first P picture of a window, without noise. */
  #firstMean(window: readonly PredictedPicture[], baseScale: number): number {
    const first = window.findIndex(({ plan }) => plan.type === 'P');
    if (first < 0) return 1;
    return meanOf(this.#anchorFactors(this.#memory.inheritedBy(window.slice(first), baseScale), 1));
  }

  /**
   * The factors of an anchor that takes the part `part` of the weights at `at`, see `TreeMemory.inheritedBy`. They are
   * not divided by the mean of those of P pictures.
   */
  #anchorFactors(at: number | undefined, part: number): Float64Array {
    const factors = new Float64Array(this.#mbWidth * this.#mbHeight).fill(1);
    if (at === undefined) return factors;
    const { values } = this.#memory;
    for (let row = 0, address = 0, from = at; row < this.#mbHeight; row++, from++) {
      for (const end = address + this.#mbWidth; address < end; address++, from++) {
        factors[address] = factorOf(part * values[from]!);
      }
    }
    return factors;
  }
}

/** weight^-EXPONENT by square roots: engines round powers differently, and streams would differ with them. */
function knownFactor(weight: number): number {
  let [root, product, places] = [weight, 1, EXPONENT];
  for (let place = 0; place < EXPONENT_PLACES; place++) {
    root = Math.sqrt(root);
    places *= 2;
    if (places < 1) continue;
    places--;
    product *= root;
  }
  return 1 / product;
}

/** weight^-EXPONENT of a macroblock that inherits so much. */
function factorOf(inherited: number): number {
  const place = Math.min(MAX_WEIGHT - 1, inherited) * WEIGHTS_PER_UNIT;
  const before = Math.floor(place);
  const factor = KNOWN_FACTORS[before]!;
  return factor + (place - before) * (KNOWN_FACTORS[before + 1]! - factor);
}

/**
 * The factors of a B picture of so many macroblocks, from the mean of its anchors' factors. Nothing is predicted from
 * it: its weight is 1, and its scale an unweighted anchor's.
 */
export function unweightedFactors(macroblocks: number, baseScale: number, mean: number): Float64Array {
  return new Float64Array(macroblocks).fill(baseScale / mean / meanPictureScale('B', baseScale));
}

/** `inheritedPart` of the first picture of a window: an I picture has that of the next P picture, if there is one. */
function partOf(window: readonly PredictedPicture[], baseScale: number): number {
  const predicted = window.find(({ plan }) => plan.type === 'P')?.prediction;
  return predicted ? inheritedPart(predicted, baseScale) : 1;
}

function meanOf(factors: Float64Array): number {
  let sum = 0;
  for (let address = 0; address < factors.length; address++) sum += factors[address]!;
  return sum / factors.length;
}
