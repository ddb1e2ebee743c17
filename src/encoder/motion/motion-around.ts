// The motion between anchors and the pictures around them, which the temporal filter follows.
import type { StartField } from '../../motion/estimator.js';
import type { PlannedPicture } from '../gop/gop-plan.js';

/** The best vectors of a picture from another one, and its noise. */
interface NoisyMotion extends StartField {
  /** Mean absolute noise of a pel of the picture, as this motion shows it, about. */
  readonly noise: number;
}

/** The motion between a picture and another one, either way. */
export interface FilterMotion extends NoisyMotion {
  /** Whether these are the vectors of the other picture, from this one. */
  readonly isReversed: boolean;
}

/** The motion between a picture and another one, which is given by its display number. */
export interface MotionFrom extends FilterMotion {
  readonly reference: number;
}

/** Finds the motion of a picture from another one, by display numbers. */
type FindMotion = (displayNumber: number, reference: number) => Promise<NoisyMotion>;

/** Pictures to each side of an anchor, at most; one is worth half as much as two. */
const PICTURES_AROUND = 2;

/**
 * Finds the motion between each anchor and the pictures around it, none beyond the anchors before and after it:
 *
 *     shown             P0 B1 B2 B3 P4 B5 P6
 *     motion of P4      that of B2, B3, B5 and P6, reversed
 *     motion of P6      that of B5, reversed, and its own from P4
 *
 * These pictures are predicted by this motion, so it is known when they are planned. Only the motion of I pictures may
 * be searched for the filter alone.
 */
export class MotionAround {
  readonly #motionFrom: FindMotion;
  readonly #found = new Map<number, MotionFrom[]>();
  #anchor: number | undefined;

  constructor(motionFrom: FindMotion) {
    this.#motionFrom = motionFrom;
  }

  /** Finds what is known once these pictures are planned, an anchor and the B pictures before it. */
  async find(plans: readonly PlannedPicture[]): Promise<void> {
    const [anchor] = plans;
    if (!anchor) return;
    const [before, after] = [this.#anchor, anchor.displayNumber];
    this.#anchor = after;
    this.#found.set(after, []);
    if (before === undefined) return;
    for (const { displayNumber } of plans) {
      for (const reference of [before, after]) {
        const distance = Math.abs(displayNumber - reference);
        if (distance === 0 || distance > PICTURES_AROUND) continue;
        const motion = await this.#motionFrom(displayNumber, reference);
        this.#found.get(reference)?.push({ ...motion, reference: displayNumber, isReversed: true });
        if (displayNumber === after) this.#found.get(after)?.push({ ...motion, reference, isReversed: false });
      }
    }
  }

  /** What was found of a picture; none of a B picture. */
  take({ displayNumber }: PlannedPicture): readonly MotionFrom[] {
    const found = this.#found.get(displayNumber) ?? [];
    this.#found.delete(displayNumber);
    return found;
  }
}
