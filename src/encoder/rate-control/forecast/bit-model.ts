// What rate control knows of the bits of pictures without a first pass.
import type { PictureType } from '../../../bitstream/picture-type.js';
import type { PlannedPicture } from '../../gop/gop-plan.js';
import type { PictureErrors } from '../../lookahead/error-histogram.js';
import { BitEstimate, typicalErrors } from './bit-estimate.js';

/** A planned picture, and the errors of its prediction. */
export interface UpcomingPicture extends PlannedPicture {
  /** Undefined where there is no lookahead. */
  readonly errors: PictureErrors | undefined;
}

/** Least weight of the newest picture in the running mean; not measured. */
const MIN_WEIGHT = 0.35;
/** How much of what is known of another type holds for one that has not been coded; see docs/decisions/bit-rate.md. */
const SHARED_PART = 0.5;
/** Bounds of a change of logarithms, and how many bisections find it. */
const MAX_STEP = 8;
const STEP_BISECTIONS = 30;

/** Logarithms of the factors of a type's overhead and of its coefficients. */
interface Factors {
  readonly overhead: number;
  readonly coefficients: number;
}

/** What is known of a type. */
interface KnownType extends Factors {
  /** How many pictures it was learned from; 0 while it is only supposed. */
  readonly pictures: number;
}

const NO_FACTORS: Factors = { overhead: 0, coefficients: 0 };

/**
 * Bits are what `BitEstimate` says times two factors of the picture's type, of the overhead and of the coefficients:
 * running means, of logarithms, of what coded pictures took. A picture changes each in proportion to its part of the
 * bits.
 */
export class BitModel {
  readonly #known = new Map<PictureType, KnownType>();
  readonly #typical: Readonly<Record<PictureType, PictureErrors>>;
  /** Those of pictures that were asked about: one is forecast again with each picture before it. */
  readonly #estimates = new WeakMap<PictureErrors, BitEstimate>();

  /** For pictures of so many macroblocks. */
  constructor(macroblocks: number) {
    const typical = (type: PictureType) => typicalErrors(type, macroblocks);
    this.#typical = { I: typical('I'), P: typical('P'), B: typical('B') };
  }

  /** Whether a picture of the type has been learned. */
  hasLearned(type: PictureType): boolean {
    return (this.#known.get(type)?.pictures ?? 0) > 0;
  }

  /** The bits expected of a picture at a scale. */
  bits(picture: UpcomingPicture, scale: number): number {
    return this.bitsOf(picture)(scale);
  }

  /** The bits expected of a picture by its scale, by what is known now. */
  bitsOf(picture: UpcomingPicture): (scale: number) => number {
    const estimate = this.#estimate(picture);
    const factors = this.#factors(picture.type);
    const overhead = estimate.overhead * Math.exp(factors.overhead);
    const coefficientsFactor = Math.exp(factors.coefficients);
    return scale => overhead + estimate.coefficientsAt(scale) * coefficientsFactor;
  }

  /** The factor by which a picture's bits change from scale `from` to others, whatever is known. */
  changeFrom(picture: UpcomingPicture, from: number): (to: number) => number {
    const estimate = this.#estimate(picture);
    const { overhead } = estimate;
    const before = overhead + estimate.coefficientsAt(from);
    return to => (overhead + estimate.coefficientsAt(to)) / before;
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
    this.#known.set(type, { ...this.#learned(picture, bits, scale, weight), pictures });
  }

  /** The factors of a type, moved by `weight` to those of a picture. */
  #learned(picture: UpcomingPicture, bits: number, scale: number, weight: number): Factors {
    const before = this.#factors(picture.type);
    const { overhead } = this.#estimate(picture);
    const coefficients = this.#estimate(picture).coefficientsAt(scale);
    const bitsWith = (factors: Factors) =>
      overhead * Math.exp(factors.overhead) + coefficients * Math.exp(factors.coefficients);
    const overheadPart = (Math.exp(before.overhead) * overhead) / bitsWith(before);
    const movedBy = (step: number) => ({
      overhead: before.overhead + step * overheadPart,
      coefficients: before.coefficients + step * (1 - overheadPart),
    });
    let [low, high] = [-MAX_STEP, MAX_STEP];
    for (let i = 0; i < STEP_BISECTIONS; i++) {
      const middle = (low + high) / 2;
      if (bitsWith(movedBy(middle)) < bits) low = middle;
      else high = middle;
    }
    return movedBy(weight * low);
  }

  /** Before the first picture of a type, the factor of its coefficients follows from the other types'. */
  #factors(type: PictureType): Factors {
    const known = this.#known.get(type);
    if (known) return known;
    for (const other of ['P', 'I', 'B'] as const) {
      const found = this.#known.get(other);
      if (found) return { overhead: 0, coefficients: SHARED_PART * found.coefficients };
    }
    return NO_FACTORS;
  }

  #estimate({ type, errors = this.#typical[type] }: UpcomingPicture): BitEstimate {
    const known = this.#estimates.get(errors);
    if (known) return known;
    const estimate = new BitEstimate(type, errors);
    this.#estimates.set(errors, estimate);
    return estimate;
  }
}
