import type { MotionField } from '../../motion/estimator.js';
import type { PlannedPicture } from '../gop-plan.js';
import { meanFactor } from '../macroblock-scales.js';
import { typeScale } from '../rate-control/picture-complexity.js';
import { HALF_BLOCK } from './half-resolution.js';
import type { LookaheadPicture, SceneCosts } from './scene-costs.js';

/** A picture of the plan, with what its macroblocks' scales are to be multiplied by. */
export interface WeightedPicture {
  readonly plan: PlannedPicture;
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
const MOST_WEIGHT = 24;
/** Weight of the newest anchor in the running mean. */
const MEAN_WEIGHT = 0.2;
const PELS = HALF_BLOCK * HALF_BLOCK;

/** What a picture takes from one anchor. */
interface Dependence {
  readonly anchor: number;
  readonly field: MotionField;
  /** Part 0, 0.5 or 1 of each macroblock that is predicted from this anchor. */
  readonly part: Float32Array;
}

interface Node {
  readonly plan: PlannedPicture;
  /** Mean absolute error of each macroblock's prediction at half resolution; infinite where intra is better. */
  readonly error: Float32Array;
  readonly dependences: readonly Dependence[];
}

/**
 * Quantises finer what later pictures are predicted from, by propagating from the last picture known back to the first what
 * an error is worth. A squared error counts once in its own picture, and again in each that takes it over: where the residual
 * is too small for the quantiser, the prediction's error stays; where it is coded, a new one takes its place. With a
 * prediction that misses by `e` a pel, the part 1 / (1 + (e / quantizer_scale)^2) is taken to stay.
 *
 * The idea is that of x264's macroblock tree (Garrett-Glaser, 2009), which propagates saved bits and knows no quantiser. Here
 * fine quantisers propagate little, as they should: anchors and B pictures have like scales at high rates, far apart ones at low.
 */
export class MacroblockTree {
  readonly #costs: SceneCosts;
  readonly #mbWidth: number;
  readonly #blocks: number;
  /** Pictures that are analysed and not yet planned, and the anchors that they may need. */
  readonly #pictures = new Map<number, LookaheadPicture>();
  readonly #nodes: Node[] = [];
  #newestAnchor = 0;
  /** Running mean factor of P pictures before it is divided by itself, so that theirs is 1. */
  #mean: number | undefined;

  constructor(costs: SceneCosts, { mbWidth, mbHeight }: { readonly mbWidth: number; readonly mbHeight: number }) {
    this.#costs = costs;
    this.#mbWidth = mbWidth;
    this.#blocks = mbWidth * mbHeight;
  }

  /** Takes a picture of the lookahead; its plan follows. */
  analysed(picture: LookaheadPicture): void {
    this.#pictures.set(picture.displayNumber, picture);
  }

  /** Takes plans in coded order while the lookahead keeps their pictures; returns those of which enough of what follows is known. */
  async push(plans: readonly PlannedPicture[]): Promise<WeightedPicture[]> {
    for (const plan of plans) {
      this.#nodes.push(await this.#node(plan));
      if (plan.type !== 'B') this.#forgetBefore(plan.displayNumber);
    }
    return this.#release(DEPTH);
  }

  /** No more pictures: returns the rest. */
  end(): WeightedPicture[] {
    return this.#release(0);
  }

  #forgetBefore(anchor: number): void {
    for (const number of this.#pictures.keys()) if (number < this.#newestAnchor) this.#pictures.delete(number);
    this.#newestAnchor = anchor;
  }

  #release(kept: number): WeightedPicture[] {
    const released: WeightedPicture[] = [];
    for (; this.#nodes.length > kept; this.#nodes.shift()) {
      const window = [...this.#nodes];
      released.push({ plan: window[0]!.plan, scaleFactors: scale => this.#scaleFactors(window, scale) });
    }
    return released;
  }

  async #node(plan: PlannedPicture): Promise<Node> {
    const picture = this.#pictures.get(plan.displayNumber)!;
    const error = new Float32Array(this.#blocks);
    if (plan.forward === undefined) return { plan, error, dependences: [] };
    const { forward, backward } = plan;
    const past = this.#pictures.get(forward)!;
    const future = backward === undefined ? undefined : this.#pictures.get(backward)!;
    const { sad, fields, parts } = await this.#costs.prediction(picture, past, future);
    const columns = fields[0]!.blockColumns;
    const dependences = fields.map((field, i) => ({
      anchor: i === 0 ? forward : backward!,
      field,
      part: new Float32Array(this.#blocks),
    }));
    for (let address = 0; address < this.#blocks; address++) {
      const block = this.#blockOf(address, columns);
      error[address] = sad[block]! > picture.intra[block]! ? Number.POSITIVE_INFINITY : sad[block]! / PELS;
      for (const [i, { part }] of dependences.entries()) part[address] = parts[i]![block]!;
    }
    return { plan, error, dependences };
  }

  /** Number of a macroblock among the lookahead's blocks, whose rows may be longer. */
  #blockOf(address: number, columns: number): number {
    return Math.floor(address / this.#mbWidth) * columns + (address % this.#mbWidth);
  }

  /** Factors of the first picture of a window, by those after it. */
  #scaleFactors(window: readonly Node[], scale: number): Float64Array {
    const { type } = window[0]!.plan;
    this.#mean ??= this.#firstMean(window, scale);
    if (type === 'B') return new Float64Array(this.#blocks).fill(scale / this.#mean / typeScale('B', scale));
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
    const factors = new Float64Array(this.#blocks).fill(1);
    return own ? factors.map((_, address) => Math.min(MOST_WEIGHT, 1 + own[address]!) ** -EXPONENT) : factors;
  }

  /** Hands the weights of a picture's macroblocks on to where they are predicted from: up to four macroblocks of an anchor. */
  #propagate({ plan, error, dependences }: Node, scale: number, weights: Map<number, Float64Array>): void {
    const own = weights.get(plan.displayNumber);
    const mbWidth = this.#mbWidth;
    const lastColumn = mbWidth - 1;
    const lastRow = this.#blocks / mbWidth - 1;
    for (const { anchor, field, part } of dependences) {
      const to = weights.get(anchor) ?? new Float64Array(this.#blocks);
      weights.set(anchor, to);
      for (let address = 0; address < this.#blocks; address++) {
        if (part[address] === 0 || error[address] === Number.POSITIVE_INFINITY) continue;
        const relative = error[address]! / scale;
        const handed = ((1 + (own ? own[address]! : 0)) * part[address]!) / (1 + relative * relative);
        const block = this.#blockOf(address, field.blockColumns);
        const x = (address % mbWidth) + field.dx[block]! / HALF_BLOCK;
        const y = Math.floor(address / mbWidth) + field.dy[block]! / HALF_BLOCK;
        const left = Math.max(0, Math.min(lastColumn, Math.floor(x)));
        const top = Math.max(0, Math.min(lastRow, Math.floor(y)));
        const right = Math.min(lastColumn, left + 1);
        const bottom = Math.min(lastRow, top + 1);
        const fromLeft = x - Math.floor(x);
        const fromTop = y - Math.floor(y);
        to[top * mbWidth + left]! += handed * (1 - fromLeft) * (1 - fromTop);
        to[top * mbWidth + right]! += handed * fromLeft * (1 - fromTop);
        to[bottom * mbWidth + left]! += handed * (1 - fromLeft) * fromTop;
        to[bottom * mbWidth + right]! += handed * fromLeft * fromTop;
      }
    }
  }
}
