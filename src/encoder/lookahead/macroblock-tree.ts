import { pictureScale } from '../quantizer/picture-scale.js';
import { HALF_BLOCK } from './half-search.js';
import type { PredictedPicture } from './predicted-pictures.js';

/** A picture with what its macroblocks' scales are to be multiplied by. */
export interface WeightedPicture extends PredictedPicture {
  /** One factor a macroblock, where P pictures have `scale`; to be asked in coded order, once a picture. None: all 1. */
  readonly scaleFactors: ((scale: number) => Float64Array) | undefined;
}

/** How many pictures are looked at after one, in coded order. */
const DEPTH = 16;
/**
 * The scale goes with the weight of a macroblock's error to minus this power. At high rate a weight w wants the step 1/sqrt(w)
 * (the Lagrangian of w times a squared error); of 0.25, 0.33 and 0.45 the middle one saves most, as x264 found too.
 */
const EXPONENT = 0.33;
/** Weights above this make no scale finer: 0.35 of what it would be. */
const MAX_WEIGHT = 24;
/** Weight of the newest anchor in the running mean. */
const MEAN_WEIGHT = 0.2;
/** Macroblocks to the right and below that a prediction may reach into: one of the margin, one for its fraction. */
const MARGIN = 2;
const PELS = HALF_BLOCK * HALF_BLOCK;
/** Side of a macroblock in pels. */
const MACROBLOCK = 16;
const MACROBLOCK_BITS = Math.log2(MACROBLOCK);

/** What a picture takes from one anchor. */
interface Dependence {
  readonly anchor: number;
  /** The vectors of the lookahead's blocks, `columns` a row, in pels of the whole picture. */
  readonly dx: Int16Array;
  readonly dy: Int16Array;
  readonly columns: number;
  /** Part 0, 0.5 or 1 of each block that is predicted from this anchor. */
  readonly part: Float32Array;
}

interface Node extends PredictedPicture {
  /** Mean absolute error of the prediction of each of the lookahead's blocks; infinite where intra is better. */
  readonly error: Float32Array;
  readonly dependences: readonly Dependence[];
}

/**
 * Quantizes finer what later pictures are predicted from, by propagating from the last picture known back to the first what
 * an error is worth. A squared error counts once in its own picture, and again in each that takes it over: where the residual
 * is too small for the quantizer, the prediction's error stays; where it is coded, a new one takes its place. With a
 * prediction that misses by `e` a pel, the part 1 / (1 + (e / quantizer_scale)^2) is taken to stay.
 *
 * The idea is that of x264's macroblock tree (Garrett-Glaser, 2009), which propagates saved bits and knows no quantizer. Here
 * fine quantizers propagate little, as they should: anchors and B pictures have like scales at high rates, far apart ones at low.
 */
export class MacroblockTree {
  readonly #mbWidth: number;
  readonly #mbHeight: number;
  /** Macroblocks in a row of weights: those beyond the picture, in the lookahead's margin, get what is lost. */
  readonly #stride: number;
  readonly #noWeights: Float64Array;
  readonly #nodes: Node[] = [];
  /** Running mean factor of P pictures before it is divided by itself, so that theirs is 1. */
  #mean: number | undefined;

  constructor({ mbWidth, mbHeight }: { readonly mbWidth: number; readonly mbHeight: number }) {
    this.#mbWidth = mbWidth;
    this.#mbHeight = mbHeight;
    this.#stride = mbWidth + MARGIN;
    this.#noWeights = new Float64Array(this.#stride * (mbHeight + MARGIN));
  }

  /** Takes pictures in coded order; returns those of which enough of what follows is known. */
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
      released.push({ plan, prediction, scaleFactors: scale => this.#scaleFactors(window, scale) });
    }
    return released;
  }

  /** Factors of the first picture of a window, by those after it. */
  #scaleFactors(window: readonly Node[], scale: number): Float64Array {
    const { type } = window[0]!.plan;
    this.#mean ??= this.#firstMean(window, scale);
    if (type === 'B')
      return new Float64Array(this.#mbWidth * this.#mbHeight).fill(scale / this.#mean / pictureScale('B', scale));
    const factors = this.#anchorFactors(window, scale);
    if (type === 'P') this.#mean += MEAN_WEIGHT * (meanFactor(factors) - this.#mean);
    const mean = this.#mean;
    return factors.map(factor => factor / mean);
  }

  /** Mean factor of the first P picture of a window. */
  #firstMean(window: readonly Node[], scale: number): number {
    const first = window.findIndex(({ plan }) => plan.type === 'P');
    return first < 0 ? 1 : meanFactor(this.#anchorFactors(window.slice(first), scale));
  }

  #anchorFactors(window: readonly Node[], scale: number): Float64Array {
    const weights = new Map<number, Float64Array>();
    for (let i = window.length - 1; i > 0; i--) this.#propagate(window[i]!, scale, weights);
    const own = weights.get(window[0]!.plan.displayNumber);
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

  /** Hands the weights of a picture's macroblocks on to where they are predicted from: up to four macroblocks of an anchor. */
  #propagate({ plan, error, dependences }: Node, scale: number, weights: Map<number, Float64Array>): void {
    const mbWidth = this.#mbWidth;
    const mbHeight = this.#mbHeight;
    const stride = this.#stride;
    const own = weights.get(plan.displayNumber) ?? this.#noWeights;
    const perScale = 1 / (scale * scale);
    for (const { anchor, dx, dy, columns, part } of dependences) {
      const to = weights.get(anchor) ?? new Float64Array(this.#noWeights.length);
      weights.set(anchor, to);
      for (let row = 0; row < mbHeight; row++) {
        for (let column = 0; column < mbWidth; column++) {
          const block = row * columns + column;
          const missed = error[block]!;
          const handed = (part[block]! * (1 + own[row * stride + column]!)) / (1 + missed * missed * perScale);
          if (handed === 0) continue;
          const x = column * MACROBLOCK + dx[block]!;
          const y = row * MACROBLOCK + dy[block]!;
          const at = (y >> MACROBLOCK_BITS) * stride + (x >> MACROBLOCK_BITS);
          const right = (handed * (x & (MACROBLOCK - 1))) / MACROBLOCK;
          const left = handed - right;
          const below = (y & (MACROBLOCK - 1)) / MACROBLOCK;
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
  const { intra, sad, fields, parts } = prediction;
  const error = new Float32Array(sad.length);
  for (let block = 0; block < error.length; block++) {
    error[block] = sad[block]! > intra[block]! ? Number.POSITIVE_INFINITY : sad[block]! / PELS;
  }
  const dependences = fields.map(({ dx, dy, blockColumns }, i) => {
    const anchor = i === 0 ? plan.forward! : plan.backward!;
    return { anchor, dx, dy, columns: blockColumns, part: parts[i]! };
  });
  return { plan, prediction, error, dependences };
}

function meanFactor(factors: Float64Array): number {
  return factors.reduce((sum, factor) => sum + factor, 0) / factors.length;
}
