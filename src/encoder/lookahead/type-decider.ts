import type { PictureType } from '../../bitstream/picture-type.js';
import type { GopPattern } from '../gop/gop-plan.js';
import type { LookaheadPicture, SceneCosts } from './scene-costs.js';

/** A picture's type, settled; in display order. */
export interface TypedPicture {
  readonly displayNumber: number;
  readonly type: PictureType;
}

/**
 * The mean absolute error at half resolution that a quantizer leaves, by its scale, and what a B picture takes more, whatever it is, in nats a pel.
 * Fitted with what anchors hand on to the best of 0 to 3 B pictures on ten clips at q 2, 4, 8 and 14: 0.85 % fewer bits than with what a residual
 * alone takes. A choice that is always right would take 1.2 % fewer still; costs at full resolution, of coefficients, or of trial encodes came no nearer.
 */
const ERROR_PER_SCALE = 1.22;
const B_EXTRA = 0.04;
/** Anchors start a scene this far apart, and their distance changes where another takes less by this much: it is known roughly. */
const USUAL_DISTANCE = 3;
const MIN_GAIN = 0.005;
/** A cut leaves at least this part of a picture's own cost unpredicted ... */
const CUT_RATIO = 0.7;
/** ... and costs this many times what the pictures before it did. */
const CUT_RISE = 2;
/** In a fade, the light changes at most this many times as much in one picture as in the next. */
const FADE_STEADINESS = 2;
/** Part of the newest value in the running mean of costs, and at the least in that of what distances take. */
const MEAN_WEIGHT = 0.2;
const MIN_WEIGHT = 0.25;

/** What is known of the scene so far: the distance of its anchors, and what a picture takes in the mean when it is 1, 2, ... */
interface Scene {
  distance: number;
  readonly takes: { readonly mean: number; readonly count: number }[];
}

/**
 * Decides the types of pictures ahead of coding, from what they cost to predict from each other: how many B pictures
 * lie between two anchors, and where a scene begins, which an I picture should.
 */
export class TypeDecider {
  readonly #costs: SceneCosts;
  readonly #pattern: GopPattern;
  readonly #scale: number;
  readonly #window: LookaheadPicture[] = [];
  #anchor: LookaheadPicture | undefined;
  #beforeAnchor: LookaheadPicture | undefined;
  #lastIntra = 0;
  #meanCost = Number.POSITIVE_INFINITY;
  #scene: Scene = { distance: USUAL_DISTANCE, takes: [] };

  /** `scale` is about the quantizer_scale that P pictures will have. */
  constructor(costs: SceneCosts, pattern: GopPattern, scale: number) {
    this.#costs = costs;
    this.#pattern = pattern;
    this.#scale = scale;
  }

  /** Takes the next picture in display order; returns the types that are settled by it, in display order. */
  push(picture: LookaheadPicture): TypedPicture[] {
    this.#window.push(picture);
    // One more than the longest way to the next anchor, to see whether a scene begins right after it.
    return this.#window.length >= this.#pattern.bFrames + 2 ? this.#settle() : [];
  }

  /** No more pictures: settles the rest, anchor by anchor. */
  *end(): Generator<TypedPicture[]> {
    while (this.#window.length > 0) yield this.#settle();
  }

  /** Settles the pictures up to the next anchor. */
  #settle(): TypedPicture[] {
    const anchor = this.#anchor;
    const first = this.#window[0]!;
    if (anchor === undefined) return this.#take(1, 'I');
    const untilIntra = this.#lastIntra + this.#pattern.gop - anchor.displayNumber;
    if (untilIntra <= 1) return this.#take(1, 'I');
    if (this.#isSceneStart(0)) {
      this.#scene = { distance: USUAL_DISTANCE, takes: [] };
      return this.#take(1, this.#mayBeIntra(first) ? 'I' : 'P');
    }
    let most = Math.min(this.#pattern.bFrames + 1, this.#window.length, untilIntra);
    if (this.#pattern.closedGop && most === untilIntra) most--;
    for (let ahead = 1; ahead < most; ahead++) {
      if (this.#isSceneStart(ahead)) most = ahead;
    }
    const distance = this.#bestDistance(anchor, most);
    this.#meanCost = this.#updatedMean(first, anchor);
    return this.#take(distance, distance === untilIntra ? 'I' : 'P');
  }

  /** Whether a picture is far enough from the last I picture; nearer ones begin a scene as P pictures of intra macroblocks. */
  #mayBeIntra({ displayNumber }: LookaheadPicture): boolean {
    return displayNumber - this.#lastIntra >= this.#pattern.gopMin;
  }

  /** The distance of the next anchor, 1..most, with which a picture takes the least; it stays as it was for less than MIN_GAIN. */
  #bestDistance(anchor: LookaheadPicture, most: number): number {
    const { distance: usual, takes } = this.#scene;
    let best = Math.min(usual, most);
    let least = Number.POSITIVE_INFINITY;
    for (let distance = 1; distance <= most; distance++) {
      const { mean, count } = takes[distance] ?? { mean: 0, count: 0 };
      const weight = Math.max(MIN_WEIGHT, 1 / (count + 1));
      takes[distance] = { mean: mean + weight * (this.#taken(anchor, distance) - mean), count: count + 1 };
    }
    const kept = takes[best]!.mean - MIN_GAIN;
    for (let distance = 1; distance <= most; distance++) {
      const { mean } = takes[distance]!;
      if (mean >= least || mean >= kept) continue;
      least = mean;
      best = distance;
    }
    if (most > this.#pattern.bFrames) this.#scene.distance = best;
    return best;
  }

  /** What a picture takes in the mean where the next anchor is this far from the last. */
  #taken(anchor: LookaheadPicture, distance: number): number {
    const between = this.#window.slice(0, distance);
    const next = between.pop()!;
    const step = ERROR_PER_SCALE * this.#scale;
    let taken = this.#costs.taken(next, anchor, undefined, step);
    for (const picture of between) taken += this.#costs.taken(picture, anchor, next, step) + B_EXTRA;
    return taken / distance;
  }

  /** Whether a scene begins with window picture `index`: it is like neither the one before nor a flash. */
  #isSceneStart(index: number): boolean {
    const before = this.#shown(index - 1);
    const picture = this.#window[index]!;
    if (before === undefined) return false;
    const cost = this.#costs.predicted(picture, before);
    if (cost < CUT_RATIO * picture.intraTotal || cost < CUT_RISE * this.#meanCost) return false;
    const after = this.#window[index + 1];
    if (after === undefined) return true;
    if (isFading([this.#shown(index - 2), before, picture, after])) return false;
    // A flash: the picture after is like the one before again.
    return this.#costs.predicted(after, before) >= CUT_RATIO * after.intraTotal;
  }

  /** The picture shown at a place in the window, or before it: -1 is the last anchor, -2 the picture before that. */
  #shown(index: number): LookaheadPicture | undefined {
    return index >= 0 ? this.#window[index] : index === -1 ? this.#anchor : this.#beforeAnchor;
  }

  #updatedMean(first: LookaheadPicture, anchor: LookaheadPicture): number {
    const cost = this.#costs.predicted(first, anchor);
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
