// The motion of anchors from the pictures around them, which the temporal filter follows.
import type { StartField } from '../../motion/estimator.js';
import type { PlannedPicture } from '../gop/gop-plan.js';

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
 * Finds the motion of each anchor from the pictures around it, none beyond the anchors before and after it:
 *
 *     shown             P0 B1 B2 B3 P4 B5 P6
 *     motion of P4      from B2, B3, B5, P6
 *
 * That from pictures after an anchor is found when the next anchor is planned: the lookahead keeps them until then, and
 * the macroblock tree holds the anchor longer.
 */
export class MotionAround {
  readonly #motionFrom: FindMotion;
  readonly #found = new Map<number, MotionFrom[]>();
  #anchor: number | undefined;

  constructor(motionFrom: FindMotion) {
    this.#motionFrom = motionFrom;
  }

  /** Finds what can be found once these pictures are planned, an anchor and the B pictures before it. */
  async find([anchor]: readonly PlannedPicture[]): Promise<void> {
    if (!anchor) return;
    const [before, number] = [this.#anchor, anchor.displayNumber];
    this.#anchor = number;
    this.#found.set(number, []);
    if (before === undefined) return;
    const distances = Array.from({ length: Math.min(PICTURES_AROUND, number - before) }, (_, i) => i + 1);
    await Promise.all([
      this.#add(
        number,
        distances.map(distance => number - distance),
      ),
      this.#add(
        before,
        distances.map(distance => before + distance),
      ),
    ]);
  }

  /** What was found of a picture; none of a B picture. */
  take({ displayNumber }: PlannedPicture): readonly MotionFrom[] {
    const found = this.#found.get(displayNumber) ?? [];
    this.#found.delete(displayNumber);
    return found;
  }

  async #add(number: number, references: readonly number[]): Promise<void> {
    this.#found.get(number)?.push(...(await this.#motionFrom(number, references)));
  }
}
