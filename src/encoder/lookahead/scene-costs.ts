import { createCpuLog } from '../../motion/cpu-log.js';
import type { MotionEstimator, MotionField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import { HALF_BLOCK, type HalfPicture, HalfPictures } from './half-resolution.js';

/** Search range at half resolution in pels per axis. */
const RANGE = { x: 31, y: 31 };

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
  readonly sad: Uint32Array;
  /** The search in each anchor, past and future. */
  readonly fields: readonly MotionField[];
  /** Of each block, the part 0, 0.5 or 1 that comes from each anchor. */
  readonly parts: readonly Float32Array[];
}

/**
 * What pictures would cost to predict from each other, in SAD at half resolution: rough, but enough to compare plans. Fields are kept as
 * long as both pictures are.
 */
export class SceneCosts {
  readonly #search: MotionEstimator;
  readonly #halves: HalfPictures;
  readonly #fields = new Map<string, MotionField>();
  #kept: LookaheadPicture[] = [];

  private constructor(search: MotionEstimator, halves: HalfPictures) {
    this.#search = search;
    this.#halves = halves;
  }

  /** Costs of pictures of a coded size in pels, of which at most `most` are kept at a time. */
  static async create(codedWidth: number, codedHeight: number, most: number, kernels: string): Promise<SceneCosts> {
    const halves = await HalfPictures.create(codedWidth, codedHeight, most, kernels);
    const { width, height } = halves;
    const search = await createCpuLog(
      { width, height, metric: 'sad', blockSize: HALF_BLOCK, range: RANGE, candidatesPerBlock: 1, lambda: 2 },
      { kernels },
    );
    return new SceneCosts(search, halves);
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
  async predicted(current: LookaheadPicture, reference: LookaheadPicture): Promise<number> {
    const { cost } = await this.#field(current, reference);
    let total = 0;
    for (let block = 0; block < cost.length; block++) total += Math.min(cost[block]!, current.intra[block]!);
    return total;
  }

  /** Cost of `current` as a B picture between two anchors: each block the cheapest of four ways. */
  async bidirectional(current: LookaheadPicture, past: LookaheadPicture, future: LookaheadPicture): Promise<number> {
    const { sad } = await this.prediction(current, past, future);
    let total = 0;
    for (let block = 0; block < sad.length; block++) total += Math.min(sad[block]!, current.intra[block]!);
    return total;
  }

  /** How each block of `current` is predicted best: from one anchor, or from either or both of two. */
  async prediction(
    current: LookaheadPicture,
    past: LookaheadPicture,
    future: LookaheadPicture | undefined,
  ): Promise<BlockPrediction> {
    const forward = await this.#field(current, past);
    if (!future)
      return { sad: forward.cost, fields: [forward], parts: [new Float32Array(forward.cost.length).fill(1)] };
    const backward = await this.#field(current, future);
    const columns = forward.blockColumns;
    const { width } = this.#halves;
    const sad = new Uint32Array(forward.cost.length);
    const fromPast = new Float32Array(sad.length);
    for (let block = 0; block < sad.length; block++) {
      const at = Math.floor(block / columns) * HALF_BLOCK * width + (block % columns) * HALF_BLOCK;
      const both = this.#halves.interpolatedSad(
        current.half,
        at,
        past.half,
        at + forward.dy[block]! * width + forward.dx[block]!,
        future.half,
        at + backward.dy[block]! * width + backward.dx[block]!,
      );
      const one = Math.min(forward.cost[block]!, backward.cost[block]!);
      sad[block] = Math.min(one, both);
      fromPast[block] = both < one ? 0.5 : one === forward.cost[block]! ? 1 : 0;
    }
    return { sad, fields: [forward, backward], parts: [fromPast, fromPast.map(part => 1 - part)] };
  }

  /** Forgets everything about pictures before `displayNumber`. */
  forgetBefore(displayNumber: number): void {
    for (const picture of this.#kept) if (picture.displayNumber < displayNumber) this.#halves.release(picture.half);
    this.#kept = this.#kept.filter(picture => picture.displayNumber >= displayNumber);
    for (const key of this.#fields.keys()) {
      const [current, reference] = key.split('<');
      if (Number(current) < displayNumber || Number(reference) < displayNumber) this.#fields.delete(key);
    }
  }

  async close(): Promise<void> {
    await this.#search.close();
  }

  async #field(current: LookaheadPicture, reference: LookaheadPicture): Promise<MotionField> {
    const key = `${current.displayNumber}<${reference.displayNumber}`;
    const known = this.#fields.get(key);
    if (known) return known;
    const field = await this.#search.estimate({ current: current.half, reference: reference.half });
    this.#fields.set(key, field);
    return field;
  }
}
