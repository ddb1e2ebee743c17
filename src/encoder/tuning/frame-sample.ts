import type { Frame } from '../../picture/frame.js';

/** As many as a group of pictures has unless told otherwise. */
const GROUP_FRAMES = 12;
const MAX_GROUPS = 3;
/** What the frames of a sample may take. */
const MAX_BYTES = 96 * 2 ** 20;

/**
 * A few groups of consecutive frames from anywhere in a sequence of unknown length: once more groups have passed than fit, each
 * of them is in the sample with the same probability. The same frames always make the same sample.
 */
export class FrameSample {
  readonly #groups: Frame[][] = [];
  #current: Frame[] = [];
  #groupsPassed = 0;
  #random = 1;

  /** Takes a frame of the sequence; the sample keeps it, not a copy. */
  add(frame: Frame): void {
    const framesThatFit = Math.max(1, Math.floor(MAX_BYTES / (frame.y.length + 2 * frame.u.length)));
    this.#current.push(frame);
    if (this.#current.length < Math.min(GROUP_FRAMES, framesThatFit)) return;
    this.#keepAmong(Math.max(1, Math.min(MAX_GROUPS, Math.floor(framesThatFit / this.#current.length) - 1)));
    this.#current = [];
  }

  /** The groups, none of which is empty; one that the sequence did not fill is there only where no other is. */
  get groups(): readonly (readonly Frame[])[] {
    return this.#groups.length === 0 && this.#current.length > 0 ? [this.#current] : this.#groups;
  }

  /** Reservoir sampling: the n-th group to pass replaces one of `most` with a probability of most / n. */
  #keepAmong(most: number): void {
    const place = this.#groupsPassed < most ? this.#groupsPassed : this.#below(this.#groupsPassed + 1);
    if (place < most) this.#groups[place] = this.#current;
    this.#groupsPassed++;
  }

  /** A pseudo-random whole number from 0 to below `limit`. */
  #below(limit: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#random / 2 ** 32) * limit);
  }
}
