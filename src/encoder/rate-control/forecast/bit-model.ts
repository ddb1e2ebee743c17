// What rate control knows of the bits of pictures without a first pass.
import type { PictureType } from '../../../bitstream/picture-type.js';
import { exp2 } from '../../../portable-math.js';
import type { PlannedPicture } from '../../gop/gop-plan.js';
import type { PictureErrors } from '../../lookahead/error-histogram.js';
import type { PictureShape } from '../buffer/sparse-picture.js';
import { BitEstimate, estimatedBits, MAX_SHIFT, typicalErrors, type WeightedEstimate } from './bit-estimate.js';
import { FinenessByScale } from './fineness-by-scale.js';

/** A planned picture, and the errors of its prediction. */
export interface UpcomingPicture extends PlannedPicture {
  /** Undefined where motion is searched on reconstructed pictures. */
  readonly errors: PictureErrors | undefined;
}

/** The pictures that rate control looks at, in coded order; the first is the next one to be coded. */
export interface UpcomingPictures {
  readonly pictures: readonly UpcomingPicture[];
  /** Whether no picture follows these. */
  readonly isEnd: boolean;
}

/** Least weight of the newest picture in the running mean; not measured. */
const MIN_WEIGHT = 0.35;
/** How much of what is known of another type holds for one that has not been coded; see docs/decisions/bit-rate.md. */
const SHARED_PART = 0.25;
/** Pictures whose estimates differ by at most this factor are alike; not measured. */
const LIKE_FACTOR = 2;
/** Bounds of a change, in octaves, and how many bisections find it. */
const MAX_STEP = 12;
const STEP_BISECTIONS = 30;

/** How pictures of a type differ from what is estimated, in octaves. */
interface Difference {
  /** By how much the overhead is greater. */
  readonly overhead: number;
  /** By how much finer the scale acts on the coefficients: as if all errors were so much greater. */
  readonly fineness: FinenessByScale;
}

/** What is known of a type. */
interface KnownType extends Difference {
  /** How many pictures it was learned from; 0 while it is only supposed. */
  readonly pictures: number;
  /** The newest of them. */
  readonly newest?: UpcomingPicture;
}

const NO_FINENESS = FinenessByScale.of(0);

/**
 * Bits are what `BitEstimate` says, but for two differences of the picture's type: running means of what coded
 * pictures showed. The overhead is multiplied, and the coefficients are those of a finer scale, or of a coarser one. So
 * a type whose faint errors take four times the bits does not take four times as many for strong errors, too. A picture
 * changes each difference in proportion to its part of the bits.
 */
export class BitModel {
  readonly #known = new Map<PictureType, KnownType>();
  readonly #typical: Readonly<Record<PictureType, PictureErrors>>;
  /** By a picture's errors: a picture is forecast again with each picture before it. */
  readonly #estimates = new WeakMap<PictureErrors, BitEstimate>();
  readonly #slices: number;
  /** Whether a picture tells little of scales other than its own. */
  readonly #isByScale: boolean;

  /**
   * For pictures of so many macroblocks and slices. `answers`: how soon budgets answer to what pictures take. Late ones
   * give wrong scales for long, so it is learned for each scale; docs/decisions/bit-rate.md.
   */
  constructor(
    { macroblocks, slices }: Pick<PictureShape, 'macroblocks' | 'slices'>,
    answers: 'late' | 'prompt' = 'late',
  ) {
    this.#slices = slices;
    this.#isByScale = answers === 'late';
    const typical = (type: PictureType) => typicalErrors(type, macroblocks);
    this.#typical = { I: typical('I'), P: typical('P'), B: typical('B') };
  }

  /** Whether a picture of the type has been learned. */
  hasLearned(type: PictureType): boolean {
    return (this.#known.get(type)?.pictures ?? 0) > 0;
  }

  /**
   * Whether a picture like this one of its type has been learned, by the errors of their predictions: one of another
   * scene may take many times the bits that are expected.
   */
  hasLearnedLike(picture: UpcomingPicture, scale: number): boolean {
    const newest = this.#known.get(picture.type)?.newest;
    if (!newest?.errors || !picture.errors) return false;
    const change = this.bits(picture, scale) / this.bits(newest, scale);
    return Math.max(change, 1 / change) <= LIKE_FACTOR;
  }

  /** The bits expected of a picture at a scale. */
  bits(picture: UpcomingPicture, scale: number): number {
    return this.bitsOf(picture)(scale);
  }

  /** The bits expected of a picture by its scale, by what is known now. */
  bitsOf(picture: UpcomingPicture): (scale: number) => number {
    return this.#bitsOf(picture.type, this.estimate(picture));
  }

  /** The bits expected of pictures together, by the scale of each type. */
  bitsOfAll(pictures: readonly UpcomingPicture[]): (scaleOf: (type: PictureType) => number) => number {
    const sums = new TypeSums();
    for (const picture of pictures) sums.add(picture.type, { estimate: this.estimate(picture), weight: 1 });
    return sums.bits((type, estimate) => this.#bitsOf(type, estimate));
  }

  /** The bits of an estimate by the scale, by what is known of the type now. */
  #bitsOf(type: PictureType, estimate: BitEstimate): (scale: number) => number {
    const difference = this.#difference(type);
    const overhead = overheadWith(estimate, difference.overhead);
    return scale => overhead + coefficientsWith(estimate, difference.fineness.at(scale), scale);
  }

  /** The factor by which a picture's bits change from scale `from` to others, whatever is known. */
  changeFrom(picture: UpcomingPicture, from: number): (to: number) => number {
    const bitsAt = estimatedBits(this.estimate(picture));
    const before = bitsAt(from);
    return to => bitsAt(to) / before;
  }

  /** Forgets what is known of all types. */
  restart(): void {
    this.#known.clear();
  }

  /** Takes what a picture took for what others of its type take, until one is learned. */
  suppose(picture: UpcomingPicture, bits: number, scale: number): void {
    this.#known.delete(picture.type);
    this.#known.set(picture.type, { ...this.#learned(picture, bits, scale, 1), pictures: 0 });
  }

  /** Takes note of a coded picture. */
  learn(picture: UpcomingPicture, bits: number, scale: number): void {
    const { type } = picture;
    const pictures = (this.#known.get(type)?.pictures ?? 0) + 1;
    if (pictures === 1) this.#known.delete(type);
    const weight = Math.max(MIN_WEIGHT, 1 / pictures);
    this.#known.set(type, { ...this.#learned(picture, bits, scale, weight), pictures, newest: picture });
  }

  /** The difference of a type, moved by `weight` to that of a picture. */
  #learned(picture: UpcomingPicture, bits: number, scale: number, weight: number): Difference {
    const before = this.#difference(picture.type);
    const fineness = before.fineness.at(scale);
    const estimate = this.estimate(picture);
    const overhead = overheadWith(estimate, before.overhead);
    const overheadPart = overhead / (overhead + coefficientsWith(estimate, fineness, scale));
    const movedBy = (step: number) => ({
      overhead: before.overhead + step * overheadPart,
      fineness: Math.max(-MAX_SHIFT, Math.min(MAX_SHIFT, fineness + step * (1 - overheadPart))),
    });
    let [low, high] = [-MAX_STEP, MAX_STEP];
    for (let i = 0; i < STEP_BISECTIONS; i++) {
      const middle = (low + high) / 2;
      const moved = movedBy(middle);
      const bitsThen = overheadWith(estimate, moved.overhead) + coefficientsWith(estimate, moved.fineness, scale);
      if (bitsThen < bits) low = middle;
      else high = middle;
    }
    const shown = movedBy(low);
    return {
      overhead: before.overhead + weight * (shown.overhead - before.overhead),
      fineness: this.#withShown(before.fineness, shown.fineness, scale, weight),
    };
  }

  #withShown(before: FinenessByScale, shown: number, scale: number, weight: number): FinenessByScale {
    if (weight === 1) return FinenessByScale.of(shown);
    return this.#isByScale ? before.movedTo(shown, scale, weight) : before.movedEverywhere(shown, weight);
  }

  /** Before the first picture of a type, the fineness follows from another type's. */
  #difference(type: PictureType): Difference {
    const known = this.#known.get(type);
    if (known) return known;
    for (const other of ['P', 'I', 'B'] as const) {
      const found = this.#known.get(other);
      if (found) return { overhead: 0, fineness: found.fineness.times(SHARED_PART) };
    }
    return { overhead: 0, fineness: NO_FINENESS };
  }

  /** What is estimated of a picture, whatever is known. */
  estimate({ type, errors = this.#typical[type] }: UpcomingPicture): BitEstimate {
    const known = this.#estimates.get(errors);
    if (known) return known;
    const estimate = BitEstimate.of(type, errors, this.#slices);
    this.#estimates.set(errors, estimate);
    return estimate;
  }
}

/** Sums of estimates, one for each type. */
export class TypeSums {
  readonly #parts = new Map<PictureType, WeightedEstimate[]>();

  add(type: PictureType, part: WeightedEstimate): void {
    const parts = this.#parts.get(type);
    if (parts) parts.push(part);
    else this.#parts.set(type, [part]);
  }

  /** The bits of all together by the scale of each type; `bitsOf` makes those of a type's sum. */
  bits(
    bitsOf: (type: PictureType, sum: BitEstimate) => (scale: number) => number = (_, sum) => estimatedBits(sum),
  ): (scaleOf: (type: PictureType) => number) => number {
    const types = [...this.#parts].map(([type, parts]) => ({
      type,
      bitsAt: bitsOf(type, BitEstimate.sum(type, parts)),
    }));
    return scaleOf => types.reduce((bits, { type, bitsAt }) => bits + bitsAt(scaleOf(type)), 0);
  }
}

function overheadWith(estimate: BitEstimate, overhead: number): number {
  return estimate.overhead * exp2(overhead);
}

function coefficientsWith(estimate: BitEstimate, fineness: number, scale: number): number {
  return estimate.coefficientsAt(scale * exp2(-fineness));
}
