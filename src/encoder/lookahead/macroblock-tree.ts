import type { PlannedPicture } from '../gop-plan.js';
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
const BLOCK_BITS = Math.log2(HALF_BLOCK);

/** What a picture takes from one anchor. */
interface Dependence {
  readonly anchor: number;
  /** The vectors of the lookahead's blocks, `columns` a row, in pels at half resolution. */
  readonly dx: Int16Array;
  readonly dy: Int16Array;
  readonly columns: number;
  /** Part 0, 0.5 or 1 of each block that is predicted from this anchor. */
  readonly part: Float32Array;
}

interface Node {
  readonly plan: PlannedPicture;
  /** Mean absolute error of the prediction of each of the lookahead's blocks; infinite where intra is better. */
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
    if (plan.forward === undefined) return { plan, error: new Float32Array(0), dependences: [] };
    const { forward, backward } = plan;
    const past = this.#pictures.get(forward)!;
    const future = backward === undefined ? undefined : this.#pictures.get(backward)!;
    const { sad, fields, parts } = await this.#costs.prediction(picture, past, future);
    const error = Float32Array.from(sad, (cost, block) =>
      cost > picture.intra[block]! ? Number.POSITIVE_INFINITY : cost / PELS,
    );
    const dependences = fields.map((field, i) => {
      const anchor = i === 0 ? forward : backward!;
      return { anchor, dx: field.dx, dy: field.dy, columns: field.blockColumns, part: parts[i]! };
    });
    return { plan, error, dependences };
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
    if (own) for (let i = 0; i < own.length; i++) factors[i] = Math.min(MOST_WEIGHT, 1 + own[i]!) ** -EXPONENT;
    return factors;
  }

  /** Hands the weights of a picture's macroblocks on to where they are predicted from: up to four macroblocks of an anchor. */
  #propagate({ plan, error, dependences }: Node, scale: number, weights: Map<number, Float64Array>): void {
    const own = weights.get(plan.displayNumber);
    const mbWidth = this.#mbWidth;
    const lastRow = this.#blocks / mbWidth - 1;
    const perScale = 1 / (scale * scale);
    for (const { anchor, dx, dy, columns, part } of dependences) {
      const to = weights.get(anchor) ?? new Float64Array(this.#blocks);
      weights.set(anchor, to);
      for (let row = 0, address = 0; row <= lastRow; row++) {
        for (let column = 0; column < mbWidth; column++, address++) {
          const block = row * columns + column;
          const share = part[block]! / (1 + error[block]! * error[block]! * perScale);
          if (share === 0) continue;
          const handed = own ? share * (1 + own[address]!) : share;
          const x = column * HALF_BLOCK + dx[block]!;
          const y = row * HALF_BLOCK + dy[block]!;
          const left = x >> BLOCK_BITS;
          const top = y >> BLOCK_BITS;
          const right = handed * (x - (left << BLOCK_BITS));
          const below = y - (top << BLOCK_BITS);
          const all = handed * HALF_BLOCK;
          // What lies beyond the last row or column of macroblocks, in the lookahead's margin, is lost.
          const isInside = left + 1 < mbWidth;
          const at = top * mbWidth + left;
          if (top <= lastRow && left < mbWidth) to[at]! += ((all - right) * (HALF_BLOCK - below)) / PELS;
          if (top <= lastRow && isInside) to[at + 1]! += (right * (HALF_BLOCK - below)) / PELS;
          if (top < lastRow && left < mbWidth) to[at + mbWidth]! += ((all - right) * below) / PELS;
          if (top < lastRow && isInside) to[at + mbWidth + 1]! += (right * below) / PELS;
        }
      }
    }
  }
}

function meanFactor(factors: Float64Array): number {
  return factors.reduce((sum, factor) => sum + factor, 0) / factors.length;
}
