// What rate control knows of the bits of pictures without a first pass.
import type { PictureType } from '../../bitstream/picture-type.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { PictureErrors } from '../lookahead/error-histogram.js';
import { estimatedBits, typicalErrors } from './bit-estimate.js';

/** A planned picture, and the errors of its prediction. */
export interface UpcomingPicture extends PlannedPicture {
  /** Undefined where there is no lookahead. */
  readonly errors: PictureErrors | undefined;
}

/** Least weight of the newest picture in the running mean; not measured. */
const LEAST_WEIGHT = 0.35;
/** How much of what is known of another type holds for one that has not been coded; see docs/decisions/bit-rate.md. */
const SHARED_PART = 0.5;

/** What is known of a type. */
interface KnownType {
  /** Logarithm of the factor. */
  readonly log: number;
  readonly pictures: number;
}

/**
 * Bits are what `estimatedBits` says times a factor of the picture's type: a running mean, of logarithms, of what
 * coded pictures took.
 */
export class BitModel {
  readonly #known = new Map<PictureType, KnownType>();
  readonly #typical: Readonly<Record<PictureType, PictureErrors>>;

  /** For pictures of so many macroblocks. */
  constructor(macroblocks: number) {
    const typical = (type: PictureType) => typicalErrors(type, macroblocks);
    this.#typical = { I: typical('I'), P: typical('P'), B: typical('B') };
  }

  /** Whether a picture of the type has been learned. */
  hasLearned(type: PictureType): boolean {
    return (this.#known.get(type)?.pictures ?? 0) > 0;
  }

  /** The factor of a type. Before its first picture, it follows from the other types'. */
  factor(type: PictureType): number {
    const known = this.#known.get(type);
    if (known) return Math.exp(known.log);
    for (const other of ['P', 'I', 'B'] as const) {
      const found = this.#known.get(other);
      if (found) return Math.exp(SHARED_PART * found.log);
    }
    return 1;
  }

  /** The bits expected of a picture at a scale. */
  bits(picture: UpcomingPicture, scale: number): number {
    return this.factor(picture.type) * this.#estimate(picture, scale);
  }

  /** What a picture took, as a part of what is estimated. */
  found(picture: UpcomingPicture, bits: number, scale: number): number {
    return bits / this.#estimate(picture, scale);
  }

  /** The factor by which a picture's bits change from one scale to another. */
  change(picture: UpcomingPicture, from: number, to: number): number {
    return this.#estimate(picture, to) / this.#estimate(picture, from);
  }

  /** Nothing is known but the factor of I pictures. */
  restart(intraFactor: number): void {
    this.#known.clear();
    this.suppose('I', intraFactor);
  }

  /** Takes a factor for that of a type that has not been coded, until a picture of it is learned. */
  suppose(type: PictureType, factor: number): void {
    this.#known.set(type, { log: Math.log(factor), pictures: 0 });
  }

  /** Takes note of a coded picture. */
  learn(picture: UpcomingPicture, bits: number, scale: number): void {
    const { log, pictures } = this.#known.get(picture.type) ?? { log: 0, pictures: 0 };
    const weight = Math.max(LEAST_WEIGHT, 1 / (pictures + 1));
    const found = Math.log(this.found(picture, Math.max(1, bits), scale));
    this.#known.set(picture.type, { log: log + weight * (found - log), pictures: pictures + 1 });
  }

  #estimate({ type, errors }: UpcomingPicture, scale: number): number {
    return estimatedBits(type, errors ?? this.#typical[type], scale);
  }
}
