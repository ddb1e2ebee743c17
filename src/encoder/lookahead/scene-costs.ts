import type { MotionField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import { type HalfPicture, HalfPictures } from './half-resolution.js';
import { HALF_BLOCK } from './half-search.js';

/** A picture of the lookahead. */
export interface LookaheadPicture {
  readonly displayNumber: number;
  readonly half: HalfPicture;
  /** Sum of |pel - mean| per block: what it costs without a prediction. */
  readonly intra: Uint16Array;
  readonly intraTotal: number;
  /** Mean of all pels. */
  readonly mean: number;
}

/** How blocks are predicted best, in raster order. */
export interface BlockPrediction {
  /** What each block costs without a prediction, and with one. */
  readonly intra: Uint16Array;
  readonly sad: Uint32Array;
  /** The search in each anchor, past and future; vectors in half-pels, which are pels of the whole picture. */
  readonly fields: readonly MotionField[];
  /** Of each block, the part 0, 0.5 or 1 that comes from each anchor. */
  readonly parts: readonly Float32Array[];
}

/** A field, with the display numbers of its pictures and how many pictures they are apart; negative: backwards. */
interface KnownField {
  readonly field: MotionField;
  readonly current: number;
  readonly reference: number;
  readonly distance: number;
}

/** Part of the quantizer's squared error that the prediction from one anchor has; fitted with the constants of the type decider. */
const ANCHOR_ERROR = 0.2;

/**
 * What pictures would cost to predict from each other, in SAD at half resolution: rough, but enough to compare plans. Fields are kept as
 * long as both pictures are.
 */
export class SceneCosts {
  readonly #halves: HalfPictures;
  readonly #fields = new Map<string, KnownField>();
  readonly #predictions = new Map<string, { readonly prediction: BlockPrediction; readonly oldest: number }>();
  #kept: LookaheadPicture[] = [];

  private constructor(halves: HalfPictures) {
    this.#halves = halves;
  }

  /** Costs of pictures of a coded size in pels, of which at most `most` are kept at a time. */
  static async create(codedWidth: number, codedHeight: number, most: number, kernels: string): Promise<SceneCosts> {
    return new SceneCosts(await HalfPictures.create(codedWidth, codedHeight, most, kernels));
  }

  /** Takes a picture in; it is kept until `forgetBefore`. */
  analyse(picture: Picture): LookaheadPicture {
    const half = this.#halves.take(picture);
    const { blocks: intra, mean } = this.#halves.deviations(half);
    let intraTotal = 0;
    for (const deviation of intra) intraTotal += deviation;
    const kept = { displayNumber: picture.id, half, intra, intraTotal, mean };
    this.#kept.push(kept);
    return kept;
  }

  /** Cost of `current` predicted from `reference`, each block the cheaper of predicted and intra. */
  predicted(current: LookaheadPicture, reference: LookaheadPicture): number {
    const { cost } = this.#field(current, reference);
    let total = 0;
    for (let block = 0; block < cost.length; block++) total += Math.min(cost[block]!, current.intra[block]!);
    return total;
  }

  /**
   * What `current` takes, predicted from one anchor or two, in nats a pel, at a quantizer that leaves a mean absolute error of `step` where it codes:
   * the rate and the distortion, weighed as they are where the one is worth the other. A block whose error `e` is below the quantizer's leaves it, above it
   * takes ln(e^2 / step^2) more. Anchors have been quantized, too: their error adds to that of the prediction, half as much where two are averaged.
   */
  taken(current: LookaheadPicture, past: LookaheadPicture, future: LookaheadPicture | undefined, step: number): number {
    const { sad, intra } = this.prediction(current, past, future);
    const perStep = 1 / (HALF_BLOCK * HALF_BLOCK * step);
    const inherited = future ? ANCHOR_ERROR / 2 : ANCHOR_ERROR;
    let total = 0;
    for (let block = 0; block < sad.length; block++) {
      const error = Math.min(sad[block]!, intra[block]!) * perStep;
      const power = error * error + inherited;
      total += power < 1 ? power : 1 + Math.log(power);
    }
    return total / sad.length;
  }

  /** How each block of `current` is predicted best: from one anchor, or from either or both of two. Kept as long as fields are. */
  prediction(current: LookaheadPicture, past: LookaheadPicture, future: LookaheadPicture | undefined): BlockPrediction {
    const key = `${current.displayNumber}<${past.displayNumber},${future?.displayNumber}`;
    const known = this.#predictions.get(key);
    if (known) return known.prediction;
    const prediction = this.#predict(current, past, future);
    this.#predictions.set(key, { prediction, oldest: Math.min(current.displayNumber, past.displayNumber) });
    return prediction;
  }

  #predict(current: LookaheadPicture, past: LookaheadPicture, future: LookaheadPicture | undefined): BlockPrediction {
    const forward = this.#field(current, past);
    const { intra } = current;
    if (!future) {
      return { intra, sad: forward.cost, fields: [forward], parts: [new Float32Array(forward.cost.length).fill(1)] };
    }
    const backward = this.#field(current, future);
    const columns = forward.blockColumns;
    const { width } = this.#halves;
    const sad = new Uint32Array(forward.cost.length);
    const fromPast = new Float32Array(sad.length);
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
      fromPast[block] = both < one ? 0.5 : one === forward.cost[block]! ? 1 : 0;
    }
    return { intra, sad, fields: [forward, backward], parts: [fromPast, fromPast.map(part => 1 - part)] };
  }

  /** Forgets everything about pictures before `displayNumber`. */
  forgetBefore(displayNumber: number): void {
    for (const picture of this.#kept) if (picture.displayNumber < displayNumber) this.#halves.release(picture.half);
    this.#kept = this.#kept.filter(picture => picture.displayNumber >= displayNumber);
    for (const [key, { current, reference }] of this.#fields) {
      if (Math.min(current, reference) < displayNumber) this.#fields.delete(key);
    }
    for (const [key, { oldest }] of this.#predictions) if (oldest < displayNumber) this.#predictions.delete(key);
  }

  /** The motion of `current` from `reference`; a field of one of them, times its distance, guides the search. */
  #field(current: LookaheadPicture, reference: LookaheadPicture): MotionField {
    const key = `${current.displayNumber}<${reference.displayNumber}`;
    const known = this.#fields.get(key);
    if (known) return known.field;
    const distance = current.displayNumber - reference.displayNumber;
    const guide = this.#guide(current.displayNumber);
    const field = this.#halves.search(
      current.half,
      reference.half,
      guide?.field,
      guide ? distance / guide.distance : 0,
    );
    this.#fields.set(key, { field, current: current.displayNumber, reference: reference.displayNumber, distance });
    return field;
  }

  /** A known field of the same picture, or else of the one before. */
  #guide(current: number): KnownField | undefined {
    let best: KnownField | undefined;
    for (const known of this.#fields.values()) {
      if (known.current === current) return known;
      if (known.current === current - 1) best = known;
    }
    return best;
  }
}
