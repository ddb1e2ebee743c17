// Chooses picture types from what pictures cost: where scenes begin, and how many B pictures lie between two anchors.
import type { PictureType } from '../../bitstream/picture-type.js';
import { type GopPattern, NO_ANCHOR } from '../gop/gop-plan.js';
import type { KnownAnchors } from '../gop/known-anchors.js';
import type { SparseReserve } from '../rate-control/buffer/sparse-reserve.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { CodingCosts, ERROR_PER_SCALE } from './coding-cost.js';
import type { LookaheadPicture } from './picture-findings.js';
import { ScaleGuess } from './scale-guess.js';
import type { SceneCosts } from './scene-costs.js';
import { SceneDistances } from './scene-distances.js';

/** A picture with its final type. */
export interface TypedPicture {
  readonly displayNumber: number;
  readonly type: PictureType;
}

/**
 * What a B picture costs beyond its prediction error, in the units of `CodingCosts`. Then the parts of their cost by
 * which distances cost more than is estimated: that of one picture; and others for each picture more than two. Fitted,
 * with ERROR_PER_SCALE and ANCHOR_ERROR, to the best of 0 to 3 B pictures on nine clips and three noisy ones at q 2, 4,
 * 8 and 14 (docs/decisions/one-source-of-motion.md).
 */
const B_PICTURE_COST = 0.08;
const DISTANCE_ONE_COST = 0.07;
const LONG_DISTANCE_COST = 0.012;
// None of the following is measured.
/** At a cut, a picture predicted from the one before costs at least this part of its cost as intra ... */
const MIN_CUT_RATIO = 0.7;
/** ... and its error is at least this many times the running mean of such costs. */
const MIN_CUT_RISE = 2;
/** In a fade, brightness changes at most this many times as much as one picture earlier or later. */
const MAX_FADE_RATIO = 2;
/** A fade may show each of its steps this many times; in between, brightness changes by at most so many levels. */
const MAX_STEP_PICTURES = 3;
const MAX_STILL_CHANGE = 0.5;
/** Weight of the newest picture in the running mean of costs. */
const COST_WEIGHT = 0.2;

/** Decides the types of pictures in display order, ahead of coding. An I picture starts a scene. */
export class TypeDecider {
  readonly #costs: SceneCosts;
  readonly #pattern: GopPattern;
  readonly #guess: ScaleGuess;
  readonly #known: KnownAnchors | undefined;
  #codingCosts: CodingCosts;
  readonly #reserve: SparseReserve | undefined;
  /** Pictures without a type, in display order. */
  readonly #window: LookaheadPicture[] = [];
  #anchor: LookaheadPicture | undefined;
  /** Mean pels of the last pictures up to the anchor. */
  #shownMeans: readonly number[] = [];
  #lastIntra = 0;
  #meanCost = Number.POSITIVE_INFINITY;
  #distances = new SceneDistances();

  /**
   * `reserve` is that of the decoder's buffer, if the stream keeps to one. `known` are the anchors of a second pass.
   */
  constructor(
    costs: SceneCosts,
    settings: Pick<EncoderSettings, 'pattern' | 'rateMode' | 'sliceRows'>,
    reserve: SparseReserve | undefined,
    known: KnownAnchors | undefined,
  ) {
    this.#costs = costs;
    this.#pattern = settings.pattern;
    this.#guess = new ScaleGuess(settings);
    this.#known = known;
    this.#codingCosts = new CodingCosts(ERROR_PER_SCALE * this.#guess.baseScale);
    this.#reserve = reserve;
  }

  /** Takes the next picture in display order; returns the pictures whose type is final now, in display order. */
  async push(picture: LookaheadPicture): Promise<TypedPicture[]> {
    this.#window.push(picture);
    // One picture more than the greatest distance of the next anchor: it shows whether a scene begins right after that.
    return this.#window.length >= this.#pattern.bFrames + 2 ? this.#decide() : [];
  }

  /** No more pictures: decides the rest, anchor by anchor. */
  async *end(): AsyncGenerator<TypedPicture[]> {
    while (this.#window.length > 0) yield await this.#decide();
  }

  /** Decides the types of the pictures up to the next anchor. */
  async #decide(): Promise<TypedPicture[]> {
    const anchor = this.#anchor;
    const first = this.#window[0]!;
    const before = anchor?.displayNumber ?? NO_ANCHOR;
    const known = this.#known?.after(before);
    if (known) {
      this.#distances.best = known.displayNumber - before;
      return this.#take(Math.min(known.displayNumber - before, this.#window.length), known.type);
    }
    if (anchor === undefined) return this.#take(1, 'I');
    await this.#updateGuess(first, anchor);
    const untilIntra = this.#lastIntra + this.#pattern.gop - anchor.displayNumber;
    if (untilIntra <= 1) return this.#take(1, 'I');
    let maxDistance = Math.min(this.#pattern.bFrames + 1, this.#window.length, untilIntra);
    if (maxDistance === untilIntra && (this.#pattern.closedGop || !this.#holdsIntra)) maxDistance--;
    if (await this.#isCut(0)) {
      const flashPictures = await this.#flashPictures();
      if (flashPictures === 0) {
        this.#distances = new SceneDistances();
        return this.#take(1, this.#mayBeIntra(first) ? 'I' : 'P');
      }
      const distance = flashPictures + 1;
      if (distance <= maxDistance) return this.#take(distance, distance === untilIntra ? 'I' : 'P');
    }
    for (let index = 1; index < maxDistance; index++) {
      if (await this.#isCut(index)) maxDistance = index;
    }
    const distance = await this.#bestDistance(anchor, maxDistance);
    this.#meanCost = await this.#updatedMeanCost(first, anchor);
    return this.#take(distance, distance === untilIntra ? 'I' : 'P');
  }

  async #updateGuess(first: LookaheadPicture, anchor: LookaheadPicture): Promise<void> {
    this.#guess.add(first, await this.#costs.predict(first, anchor, undefined));
    this.#codingCosts = new CodingCosts(ERROR_PER_SCALE * this.#guess.baseScale);
  }

  /**
   * Whether a picture is far enough from the last I picture, also for the decoder's buffer. A scene that begins nearer
   * starts with a P picture of intra macroblocks.
   */
  #mayBeIntra({ displayNumber }: LookaheadPicture): boolean {
    return displayNumber - this.#lastIntra >= this.#pattern.gopMin && this.#holdsIntra;
  }

  get #holdsIntra(): boolean {
    return this.#reserve?.holdsIntra ?? true;
  }

  /** The distance of the next anchor, 1..maxDistance; costs are found for as many as are compared. */
  async #bestDistance(anchor: LookaheadPicture, maxDistance: number): Promise<number> {
    if (this.#distances.compares()) {
      const costs: number[] = [];
      for (let distance = 1; distance <= maxDistance; distance++) {
        costs.push(await this.#distanceCost(anchor, distance));
      }
      return this.#distances.compare(costs, maxDistance > this.#pattern.bFrames);
    }
    const distance = Math.min(this.#distances.best, maxDistance);
    this.#distances.follow(distance, await this.#distanceCost(anchor, distance));
    return distance;
  }

  /** Mean cost of the next pictures if the next anchor is `distance` pictures after the last one. */
  async #distanceCost(anchor: LookaheadPicture, distance: number): Promise<number> {
    const bPictures = this.#window.slice(0, distance);
    const next = bPictures.pop()!;
    let cost = await this.#costs.codingCost(next, anchor, undefined, this.#codingCosts);
    for (const picture of bPictures) {
      cost += (await this.#costs.codingCost(picture, anchor, next, this.#codingCosts)) + B_PICTURE_COST;
    }
    const risk = distance === 1 ? DISTANCE_ONE_COST : LONG_DISTANCE_COST * (distance - 2);
    return (cost / distance) * (1 + risk);
  }

  /** Whether a scene or a flash begins with window picture `index`: the picture before does not predict it. */
  async #isCut(index: number): Promise<boolean> {
    const before = index > 0 ? this.#window[index - 1] : this.#anchor;
    const picture = this.#window[index]!;
    if (before === undefined || (await this.#isPredicted(picture, before))) return false;
    if ((await this.#costs.predictionError(picture, before)) < MIN_CUT_RISE * this.#meanCost) return false;
    return !isFading([...this.#shownMeans, ...this.#window.map(({ mean }) => mean)], this.#shownMeans.length + index);
  }

  /**
   * How many pictures a flash lasts that begins with the first window picture, 1 or 2; 0: a scene begins. After a
   * flash, the picture before it predicts the next one again. The pictures of a flash are B pictures, as nothing is
   * like them.
   */
  async #flashPictures(): Promise<number> {
    const anchor = this.#anchor!;
    const [, second, third] = this.#window;
    if (second && (await this.#isPredicted(second, anchor))) return 1;
    if (!third || this.#pattern.bFrames < 2) return 0;
    return (await this.#isPredicted(third, anchor)) ? 2 : 0;
  }

  async #isPredicted(picture: LookaheadPicture, reference: LookaheadPicture): Promise<boolean> {
    return (await this.#costs.predictionCost(picture, reference)) < MIN_CUT_RATIO * picture.intraTotal;
  }

  async #updatedMeanCost(first: LookaheadPicture, anchor: LookaheadPicture): Promise<number> {
    const cost = await this.#costs.predictionCost(first, anchor);
    return Number.isFinite(this.#meanCost) ? this.#meanCost + COST_WEIGHT * (cost - this.#meanCost) : cost;
  }

  /** Takes the first `count` pictures out of the window: the last of them is an anchor, the others are B pictures. */
  #take(count: number, anchorType: 'I' | 'P'): TypedPicture[] {
    const pictures = this.#window.splice(0, count);
    const anchor = pictures.at(-1)!;
    this.#shownMeans = [...this.#shownMeans, ...pictures.map(({ mean }) => mean)].slice(-MAX_STEP_PICTURES - 1);
    this.#anchor = anchor;
    if (anchorType === 'I') this.#lastIntra = anchor.displayNumber;
    this.#reserve?.take(anchorType);
    for (let bPictures = count - 1; bPictures > 0; bPictures--) this.#reserve?.take('B');
    this.#costs.advanceTo(anchor, this.#distances, this.#lastIntra);
    return pictures.map(picture => ({
      displayNumber: picture.displayNumber,
      type: picture === anchor ? anchorType : 'B',
    }));
  }
}

/**
 * Whether the means of successive pictures change toward the one at `index` in the same direction as before or after,
 * and about as much: a fade rather than a cut.
 */
function isFading(means: readonly number[], index: number): boolean {
  const changeTo = (at: number) => means[at]! - means[at - 1]!;
  const change = changeTo(index);
  return [-1, 1].some(direction => {
    for (let distance = 1; distance <= MAX_STEP_PICTURES; distance++) {
      const other = changeTo(index + direction * distance);
      if (change * other > 0 && Math.abs(change) <= MAX_FADE_RATIO * Math.abs(other)) return true;
      if (!(Math.abs(other) <= MAX_STILL_CHANGE)) return false;
    }
    return false;
  });
}
