// What the motion between anchors says of how many B pictures pay after later ones.
import type { MotionChange } from './steady-motion.js';

/**
 * How many anchors before the next one the motion is looked at that tells how many B pictures come before it. So the
 * motion between several anchors can be searched side by side.
 */
const DISTANCE = 4;
/** So many P pictures in a row must agree: one alone, as at a flash, tells little. */
const IN_A_ROW = 2;

/** The motion to a P picture. */
interface AnchorChange {
  readonly anchorNumber: number;
  readonly find: () => Promise<Pick<MotionChange, 'paysOneB'>>;
}

/** Tells whether one B picture pays more than several, by the motion between the anchors before. */
export class MotionChanges {
  /** In the order of their numbers; none that is not asked about any more. */
  #changes: AnchorChange[] = [];
  #lastAnchor = -1;
  #onAnchor = () => {};

  /**
   * The motion to the next anchor has been asked for. `find` finds what it is like, if it is that of a P picture that
   * follows B pictures.
   */
  add(anchorNumber: number, find?: AnchorChange['find']): void {
    if (find) this.#changes.push({ anchorNumber, find });
    this.#lastAnchor = anchorNumber;
    this.#onAnchor();
  }

  /**
   * Whether one B picture pays more than several before the anchor with a number. Waits for the anchors that tell; it
   * is asked in the order of these numbers. Rejects as the estimator does.
   */
  async paysOneB(anchorNumber: number): Promise<boolean> {
    const last = anchorNumber - DISTANCE;
    while (this.#lastAnchor < last) {
      await new Promise<void>(resolve => {
        this.#onAnchor = resolve;
      });
    }
    const isLater = (change: AnchorChange) => change.anchorNumber > last;
    const telling = this.#changes.filter(change => !isLater(change)).slice(-IN_A_ROW);
    this.#changes = [...telling, ...this.#changes.filter(isLater)];
    const found = await Promise.all(telling.map(({ find }) => find()));
    return found.length === IN_A_ROW && found.every(({ paysOneB }) => paysOneB);
  }
}
