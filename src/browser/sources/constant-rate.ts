// Gives pictures that come at any time their places at a constant rate.
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';

/** The places of a video at a constant rate, from 0. The first picture has the first place. */
export class ConstantRate {
  readonly #placesPerUs: number;
  #startUs: number | undefined;
  #next = 0;

  constructor({ numerator, denominator }: FrameRate) {
    this.#placesPerUs = numerator / (denominator * 1_000_000);
  }

  /**
   * Takes the place that is nearest to a time in microseconds. Returns how many places before it are empty; undefined
   * if the place is taken, or lies before one that is.
   */
  take(timestampUs: number): number | undefined {
    this.#startUs ??= timestampUs;
    const place = this.#placeAt(timestampUs);
    if (place < this.#next) return undefined;
    const empty = place - this.#next;
    this.#next = place + 1;
    return empty;
  }

  /** How many places are left before a time, at which the last picture ends. */
  emptyBefore(endUs: number): number {
    return this.#startUs === undefined ? 0 : Math.max(0, this.#placeAt(endUs) - this.#next);
  }

  #placeAt(timestampUs: number): number {
    return Math.round((timestampUs - this.#startUs!) * this.#placesPerUs);
  }
}
