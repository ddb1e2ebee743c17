// The motion of anchors from the pictures around them, which the temporal filter follows.
import type { StartField } from '../../motion/estimator.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { CodingTools } from '../settings/presets.js';

/** The best vectors of a picture from another one. */
export interface FilterMotion extends StartField {
  /** Mean absolute noise of a pel of the picture, as this motion shows it, about. */
  readonly noise: number;
}

/** The same, the other one given by its display number. */
export interface MotionFrom extends FilterMotion {
  readonly reference: number;
}

/** Finds the motion of a picture from others, by display numbers. */
type FindMotion = (displayNumber: number, references: readonly number[]) => Promise<MotionFrom[]>;

/** Pictures to each side of an anchor, at most; one is worth half as much as two. */
const PICTURES_AROUND = 2;

/**
 * Anchors from which on the lookahead keeps pictures, the newest one counted. The motion around an anchor may come
 * until the next one but one is planned.
 */
export function anchorsKept({ temporalFilter }: Pick<CodingTools, 'temporalFilter'>): number {
  return temporalFilter ? 3 : 2;
}

/**
 * Finds the motion of each anchor from the pictures around it, none beyond the anchors before and after it:
 *
 *     shown             P0 B1 B2 B3 P4 B5 P6
 *     motion of P4      from B2, B3, B5, P6
 *
 * That from pictures after an anchor is asked for when the next anchor is planned.
 */
export class MotionAround {
  readonly #motionFrom: FindMotion;
  readonly #found = new Map<number, Promise<MotionFrom[]>[]>();
  #anchor: number | undefined;
  /** What was asked for with the last anchor. */
  #asked: Promise<unknown> = Promise.resolve();

  constructor(motionFrom: FindMotion) {
    this.#motionFrom = motionFrom;
  }

  /**
   * Asks for what can be found once these pictures are planned, an anchor and the B pictures before it. Resolves when
   * that is there which was asked for with the anchor before: other threads have a whole anchor's time.
   */
  async find([anchor]: readonly PlannedPicture[]): Promise<void> {
    if (!anchor) return;
    const [before, number, earlier] = [this.#anchor, anchor.displayNumber, this.#asked];
    this.#anchor = number;
    this.#found.set(number, []);
    if (before !== undefined) {
      const distances = Array.from({ length: Math.min(PICTURES_AROUND, number - before) }, (_, i) => i + 1);
      const backward = distances.map(distance => number - distance);
      const forward = distances.map(distance => before + distance);
      this.#asked = Promise.all([this.#add(number, backward), this.#add(before, forward)]);
      this.#asked.catch(() => {}); // whoever waits for it is told
    }
    await earlier;
  }

  /** What was found of a picture; none of a B picture. */
  async take({ displayNumber }: PlannedPicture): Promise<readonly MotionFrom[]> {
    const found = this.#found.get(displayNumber) ?? [];
    this.#found.delete(displayNumber);
    return (await Promise.all(found)).flat();
  }

  #add(number: number, references: readonly number[]): Promise<MotionFrom[]> {
    const found = this.#motionFrom(number, references);
    found.catch(() => {}); // whoever waits for it is told
    this.#found.get(number)?.push(found);
    return found;
  }
}
