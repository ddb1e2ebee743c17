// Samples a few groups of frames from a sequence of unknown length.
import type { Frame } from '../../picture/frame.js';

/** Frames of a group: the default distance of I pictures. */
const GROUP_FRAMES = 12;
/** Groups of a sample; not measured. */
const MAX_GROUPS = 3;
/** Memory of the frames of a sample. */
const MAX_BYTES = 96 * 2 ** 20;

/**
 * A few groups of consecutive frames. Each group of the sequence is in the sample with the same probability, once more
 * of them have passed than fit. The same frames always give the same sample.
 */
export class FrameSample {
  readonly #groups: Frame[][] = [];
  #current: Frame[] = [];
  #groupsPassed = 0;
  /** State of the linear congruential generator. */
  #random = 1;

  /** Takes the next frame of the sequence; the sample keeps the frame, not a copy. */
  add(frame: Frame): void {
    const framesThatFit = Math.max(1, Math.floor(MAX_BYTES / (frame.y.length + 2 * frame.u.length)));
    this.#current.push(frame);
    if (this.#current.length < Math.min(GROUP_FRAMES, framesThatFit)) return;
    this.#addGroup(Math.max(1, Math.min(MAX_GROUPS, Math.floor(framesThatFit / this.#current.length) - 1)));
    this.#current = [];
  }

  /** The groups, none of them empty. A sequence shorter than a group gives one short group. */
  get groups(): readonly (readonly Frame[])[] {
    return this.#groups.length === 0 && this.#current.length > 0 ? [this.#current] : this.#groups;
  }

  /** Reservoir sampling: the n-th group replaces one of `maxGroups` with the probability maxGroups / n. */
  #addGroup(maxGroups: number): void {
    const place = this.#groupsPassed < maxGroups ? this.#groupsPassed : this.#randomBelow(this.#groupsPassed + 1);
    if (place < maxGroups) this.#groups[place] = this.#current;
    this.#groupsPassed++;
  }

  /** A pseudo-random whole number from 0 to limit - 1; constants of Numerical Recipes. */
  #randomBelow(limit: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#random / 2 ** 32) * limit);
  }
}
