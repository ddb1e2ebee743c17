// Estimates what pictures cost when they are predicted from each other.
import type { MotionField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import { AnchorWindow } from '../gop/anchor-window.js';
import { type HalfPicture, HalfPictures } from './half-resolution.js';
import { HALF_BLOCK } from './half-search.js';

/** A picture of the lookahead. */
export interface LookaheadPicture {
  readonly displayNumber: number;
  readonly half: HalfPicture;
  /** Cost of each block without a prediction: the sum of |pel - mean of the block|. */
  readonly intra: Uint16Array;
  /** Cost of the picture without a prediction; see {@link SceneCosts.predictionCost}. */
  readonly intraTotal: number;
  /** Mean of all pels. */
  readonly mean: number;
}

/** How the blocks of a picture are predicted best; arrays in raster order of blocks at half resolution. */
export interface BlockPrediction {
  /** Cost of each block without a prediction. */
  readonly intra: Uint16Array;
  /** SAD of each block with the prediction. */
  readonly sad: Uint32Array;
  /**
   * The motion from the past anchor and, in B pictures, from the future one; half-pels here are pels of the whole
   * picture.
   */
  readonly fields: readonly MotionField[];
  /** For each of these anchors, its share of each block's prediction: 0, 0.5 or 1. */
  readonly anchorShares: readonly Float32Array[];
}

/** A motion field of a picture. */
interface FieldFrom {
  /** Display number of the picture that the field points into. */
  readonly reference: number;
  readonly field: MotionField;
}

interface PredictionFrom {
  /** Display numbers of the anchors. */
  readonly past: number;
  readonly future: number | undefined;
  readonly prediction: BlockPrediction;
}

/** What has been found of a picture so far, oldest first. */
interface Findings {
  readonly picture: LookaheadPicture;
  fields: FieldFrom[];
  predictions: PredictionFrom[];
}

/**
 * Squared error of an anchor, which its quantizer leaves, as a part of the quantizer's squared error. Fitted together
 * with the constants of the type decider.
 */
const ANCHOR_ERROR = 0.2;
/**
 * Least cost of a block without a prediction, as a mean absolute error: even a uniform block takes about 20 bits. So a
 * cut between two greys is one from three levels on. docs/decisions/uniform-pictures.md has the figures.
 */
const MIN_INTRA_ERROR = 4;
const MIN_INTRA_COST = MIN_INTRA_ERROR * HALF_BLOCK * HALF_BLOCK;

/** Costs at half resolution: rough, but good enough to compare picture types. Each search is made once. */
export class SceneCosts {
  readonly #halves: HalfPictures;
  readonly #findings = new AnchorWindow<Findings>();

  private constructor(halves: HalfPictures) {
    this.#halves = halves;
  }

  /** Costs of pictures of a coded size in pels, with room for `maxPictures` at a time. */
  static async create(
    codedWidth: number,
    codedHeight: number,
    maxPictures: number,
    kernels: string,
  ): Promise<SceneCosts> {
    return new SceneCosts(await HalfPictures.create(codedWidth, codedHeight, maxPictures, kernels));
  }

  /** Adds the next picture in display order. */
  add(source: Picture): LookaheadPicture {
    const half = this.#halves.add(source);
    const { blocks: intra, mean } = this.#halves.deviations(half);
    let intraTotal = 0;
    for (const deviation of intra) intraTotal += Math.max(deviation, MIN_INTRA_COST);
    const picture = { displayNumber: source.id, half, intra, intraTotal, mean };
    this.#findings.add(picture.displayNumber, { picture, fields: [], predictions: [] });
    return picture;
  }

  /** A picture that was added and is still kept. */
  picture(displayNumber: number): LookaheadPicture {
    return this.#findings.get(displayNumber).picture;
  }

  /** The next anchor is known: forgets the pictures that none is predicted from any more. */
  advanceTo({ displayNumber }: LookaheadPicture): void {
    for (const { picture } of this.#findings.advanceTo(displayNumber)) this.#halves.release(picture.half);
    const isKept = (number: number) => this.#findings.find(number) !== undefined;
    for (const findings of this.#findings.items) {
      findings.fields = findings.fields.filter(({ reference }) => isKept(reference));
      findings.predictions = findings.predictions.filter(({ past }) => isKept(past));
    }
  }

  /**
   * Cost of `current` predicted from one picture; a block that costs less as intra counts as intra. An intra block
   * costs at least MIN_INTRA_COST, so that what is uniform, or nearly so, is predicted by a picture that is equal to
   * it.
   */
  predictionCost(current: LookaheadPicture, reference: LookaheadPicture): number {
    return costWithIntra(current, this.#field(current, reference));
  }

  /** The same by a search that guides no others: for pictures that are hardly ever predicted from each other. */
  costByLoneSearch(current: LookaheadPicture, reference: LookaheadPicture): number {
    return costWithIntra(current, this.#halves.search(current.half, reference.half, undefined, 0));
  }

  /** Cost of `current` where every block is predicted from one picture. */
  predictionError(current: LookaheadPicture, reference: LookaheadPicture): number {
    return this.#field(current, reference).cost.reduce((sum, cost) => sum + cost, 0);
  }

  /**
   * Rate-distortion cost of `current` predicted from one anchor or two, in the mean of its blocks and in units of the
   * quantizer's squared error; `quantizerError` is the mean absolute error that the quantizer leaves. A block whose
   * relative squared error p is below 1 is not coded and costs its distortion, p. Another one costs 1 + ln p: the
   * quantizer's distortion and its own rate. The anchors' errors are added to p; where two are averaged, half of that.
   */
  codingCost(
    current: LookaheadPicture,
    past: LookaheadPicture,
    future: LookaheadPicture | undefined,
    quantizerError: number,
  ): number {
    const { sad, intra } = this.predict(current, past, future);
    const perError = 1 / (HALF_BLOCK * HALF_BLOCK * quantizerError);
    const anchorError = future ? ANCHOR_ERROR / 2 : ANCHOR_ERROR;
    let total = 0;
    for (let block = 0; block < sad.length; block++) {
      const relativeError = Math.min(sad[block]!, intra[block]!) * perError;
      const power = relativeError * relativeError + anchorError;
      total += power < 1 ? power : 1 + Math.log(power);
    }
    return total / sad.length;
  }

  /** How each block of `current` is predicted best: from one anchor, or from either or both of two. */
  predict(current: LookaheadPicture, past: LookaheadPicture, future: LookaheadPicture | undefined): BlockPrediction {
    const { predictions } = this.#findings.get(current.displayNumber);
    const known = predictions.find(
      other => other.past === past.displayNumber && other.future === future?.displayNumber,
    );
    if (known) return known.prediction;
    const prediction = future ? this.#fromBoth(current, past, future) : this.#fromPast(current, past);
    predictions.push({ past: past.displayNumber, future: future?.displayNumber, prediction });
    return prediction;
  }

  #fromPast(current: LookaheadPicture, past: LookaheadPicture): BlockPrediction {
    const forward = this.#field(current, past);
    const { cost: sad } = forward;
    return { intra: current.intra, sad, fields: [forward], anchorShares: [new Float32Array(sad.length).fill(1)] };
  }

  #fromBoth(current: LookaheadPicture, past: LookaheadPicture, future: LookaheadPicture): BlockPrediction {
    const forward = this.#field(current, past);
    const backward = this.#field(current, future);
    const columns = forward.blockColumns;
    const { width } = this.#halves;
    const sad = new Uint32Array(forward.cost.length);
    const pastShare = new Float32Array(sad.length);
    for (let block = 0; block < sad.length; block++) {
      const at = Math.floor(block / columns) * HALF_BLOCK * width + (block % columns) * HALF_BLOCK;
      const both = this.#halves.interpolatedSad(
        at,
        current.half,
        past.half,
        forward.dx[block]!,
        forward.dy[block]!,
        future.half,
        backward.dx[block]!,
        backward.dy[block]!,
      );
      const one = Math.min(forward.cost[block]!, backward.cost[block]!);
      sad[block] = Math.min(one, both);
      pastShare[block] = both < one ? 0.5 : one === forward.cost[block]! ? 1 : 0;
    }
    const futureShare = pastShare.map(share => 1 - share);
    return { intra: current.intra, sad, fields: [forward, backward], anchorShares: [pastShare, futureShare] };
  }

  /** The motion of `current` from `reference`. A known field, scaled to the distance of the two, guides the search. */
  #field(current: LookaheadPicture, reference: LookaheadPicture): MotionField {
    const { fields } = this.#findings.get(current.displayNumber);
    const known = fields.find(other => other.reference === reference.displayNumber);
    if (known) return known.field;
    const distance = current.displayNumber - reference.displayNumber;
    const guide = this.#guide(current.displayNumber);
    const part = guide ? distance / guide.distance : 0;
    const field = this.#halves.search(current.half, reference.half, guide?.field, part);
    fields.push({ reference: reference.displayNumber, field });
    return field;
  }

  /**
   * A known field of the picture, or else of the one shown before, with its distance in pictures; negative: from a
   * later one.
   */
  #guide(displayNumber: number): { readonly field: MotionField; readonly distance: number } | undefined {
    const own = this.#findings.get(displayNumber).fields[0];
    if (own) return { field: own.field, distance: displayNumber - own.reference };
    const previous = this.#findings.find(displayNumber - 1)?.fields.at(-1);
    return previous && { field: previous.field, distance: displayNumber - 1 - previous.reference };
  }
}

function costWithIntra({ intra }: LookaheadPicture, { cost }: MotionField): number {
  let total = 0;
  for (let block = 0; block < cost.length; block++) {
    total += Math.min(cost[block]!, Math.max(intra[block]!, MIN_INTRA_COST));
  }
  return total;
}
