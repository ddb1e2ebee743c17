import type { PictureType } from '../../bitstream/macroblock-codes.js';
import type { GopPattern } from '../gop-plan.js';
import type { LookaheadPicture, SceneCosts } from './scene-costs.js';

/** A picture's type, settled; in display order. */
export interface TypedPicture {
  readonly displayNumber: number;
  readonly type: PictureType;
}

/** How far ahead the growth of the cost of prediction is measured, in pictures. */
const GROWTH_DISTANCE = 4;
/**
 * Anchors lie `d` apart while predicting GROWTH_DISTANCE pictures ahead costs at most 1 + FACTOR / (d - 1)^EXPONENT times what predicting
 * one ahead does. Fitted to the best fixed number of B pictures of six clips: 1.5 to 1.65 where three are best, 1.75 to 1.85 where two are.
 */
const GROWTH_FACTOR = 2.7;
const GROWTH_EXPONENT = 1.4;
/** A picture of which a prediction GROWTH_DISTANCE away leaves only this part is still: then anchors may lie as far apart as wanted. */
const STILL_RATIO = 0.2;
/** An interpolated picture that costs this part of a predicted one is not worth its detour ... */
const USELESS_B_RATIO = 0.95;
/** ... and from this part on, as in film grain, more than one between two anchors are not. */
const LONE_B_RATIO = 0.76;
/** A cut leaves at least this part of a picture's own cost unpredicted ... */
const CUT_RATIO = 0.7;
/** ... and costs this many times what the pictures before it did. */
const CUT_RISE = 2;
/** In a fade, the light changes at most this many times as much in one picture as in the next. */
const FADE_STEADINESS = 2;
/** Part of the newest value in running means. */
const MEAN_WEIGHT = 0.2;

/**
 * Decides the types of pictures ahead of coding, from what they cost to predict from each other: how many B pictures
 * lie between two anchors, and where a scene begins, which an I picture should.
 */
export class TypeDecider {
  readonly #costs: SceneCosts;
  readonly #pattern: GopPattern;
  readonly #window: LookaheadPicture[] = [];
  #anchor: LookaheadPicture | undefined;
  #beforeAnchor: LookaheadPicture | undefined;
  #lastIntra = 0;
  #meanCost = Number.POSITIVE_INFINITY;
  /** Running mean of how the cost of prediction grows with distance, in the scene so far. */
  #growth: number | undefined;

  constructor(costs: SceneCosts, pattern: GopPattern) {
    this.#costs = costs;
    this.#pattern = pattern;
  }

  /** Takes the next picture in display order; returns the types that are settled by it, in display order. */
  async push(picture: LookaheadPicture): Promise<TypedPicture[]> {
    this.#window.push(picture);
    // One more than the longest way to the next anchor, to see whether a scene begins right after it.
    return this.#window.length >= this.#pattern.bFrames + 2 ? this.#settle() : [];
  }

  /** No more pictures: settles the rest, anchor by anchor. */
  async *end(): AsyncGenerator<TypedPicture[]> {
    while (this.#window.length > 0) yield await this.#settle();
  }

  /** Settles the pictures up to the next anchor. */
  async #settle(): Promise<TypedPicture[]> {
    const anchor = this.#anchor;
    const first = this.#window[0]!;
    if (anchor === undefined) return this.#take(1, 'I');
    const untilIntra = this.#lastIntra + this.#pattern.gop - anchor.displayNumber;
    if (untilIntra <= 1) return this.#take(1, 'I');
    if (await this.#isSceneStart(0)) return this.#take(1, this.#mayBeIntra(first) ? 'I' : 'P');
    let most = Math.min(this.#pattern.bFrames + 1, this.#window.length, untilIntra);
    if (this.#pattern.closedGop && most === untilIntra) most--;
    for (let ahead = 1; ahead < most; ahead++) {
      if (await this.#isSceneStart(ahead)) most = ahead;
    }
    const distance = await this.#bestDistance(anchor, most);
    this.#meanCost = await this.#updatedMean(first, anchor);
    return this.#take(distance, distance === untilIntra ? 'I' : 'P');
  }

  /** Whether a picture is far enough from the last I picture; nearer ones begin a scene as P pictures of intra macroblocks. */
  #mayBeIntra({ displayNumber }: LookaheadPicture): boolean {
    return displayNumber - this.#lastIntra >= this.#pattern.gopMin;
  }

  /** The distance of the next anchor, 1..most: the further, the less prediction suffers from distance in this scene. */
  async #bestDistance(anchor: LookaheadPicture, most: number): Promise<number> {
    const first = this.#window[0]!;
    const near = await this.#costs.predicted(first, anchor);
    if (most >= GROWTH_DISTANCE) {
      const far = await this.#costs.predicted(this.#window[GROWTH_DISTANCE - 1]!, anchor);
      const isStill = far <= STILL_RATIO * this.#window[GROWTH_DISTANCE - 1]!.intraTotal;
      const growth = isStill ? 1 : (far + 1) / (near + 1);
      this.#growth = this.#growth === undefined ? growth : this.#growth + MEAN_WEIGHT * (growth - this.#growth);
    }
    const growth = this.#growth ?? 1;
    let distance = most;
    while (distance > 2 && growth > 1 + GROWTH_FACTOR / (distance - 1) ** GROWTH_EXPONENT) distance--;
    if (distance < 2) return 1;
    const interpolated = await this.#costs.bidirectional(first, anchor, this.#window[1]!);
    if (interpolated > LONE_B_RATIO * near) distance = 2;
    return interpolated > USELESS_B_RATIO * near && distance === 2 ? 1 : distance;
  }

  /** Whether a scene begins with window picture `index`: it is like neither the one before nor a flash. */
  async #isSceneStart(index: number): Promise<boolean> {
    const before = this.#shown(index - 1);
    const picture = this.#window[index]!;
    if (before === undefined) return false;
    const cost = await this.#costs.predicted(picture, before);
    if (cost < CUT_RATIO * picture.intraTotal || cost < CUT_RISE * this.#meanCost) return false;
    const after = this.#window[index + 1];
    if (after === undefined) return true;
    if (isFading([this.#shown(index - 2), before, picture, after])) return false;
    // A flash: the picture after is like the one before again.
    return (await this.#costs.predicted(after, before)) >= CUT_RATIO * after.intraTotal;
  }

  /** The picture shown at a place in the window, or before it: -1 is the last anchor, -2 the picture before that. */
  #shown(index: number): LookaheadPicture | undefined {
    return index >= 0 ? this.#window[index] : index === -1 ? this.#anchor : this.#beforeAnchor;
  }

  async #updatedMean(first: LookaheadPicture, anchor: LookaheadPicture): Promise<number> {
    const cost = await this.#costs.predicted(first, anchor);
    return Number.isFinite(this.#meanCost) ? this.#meanCost + MEAN_WEIGHT * (cost - this.#meanCost) : cost;
  }

  /** Settles the first `count` pictures of the window: B pictures, and the last of them an anchor. */
  #take(count: number, anchorType: 'I' | 'P'): TypedPicture[] {
    const taken = this.#window.splice(0, count);
    const anchor = taken.at(-1)!;
    this.#beforeAnchor = taken.at(-2) ?? this.#anchor;
    const before = this.#anchor;
    this.#anchor = anchor;
    if (anchorType === 'I') this.#lastIntra = anchor.displayNumber;
    this.#costs.forgetBefore(before?.displayNumber ?? 0);
    return taken.map(({ displayNumber }) => ({
      displayNumber,
      type: displayNumber === anchor.displayNumber ? anchorType : 'B',
    }));
  }
}

/**
 * Whether the light changes between the second and third of four pictures in a row about as it did before or goes on doing: a
 * fade, not a cut, however little the two have in common.
 */
function isFading(pictures: readonly (LookaheadPicture | undefined)[]): boolean {
  const [earlier, change, later] = [0, 1, 2].map(i => {
    const [from, to] = [pictures[i], pictures[i + 1]];
    return from && to ? to.mean - from.mean : 0;
  }) as [number, number, number];
  return [earlier, later].some(other => change * other > 0 && Math.abs(change) <= FADE_STEADINESS * Math.abs(other));
}
