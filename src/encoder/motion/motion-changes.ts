// What the motion between anchors says of how many B pictures pay after later ones.
import type { MotionChange } from './steady-motion.js';

/**
 * How many anchors before the next one the motion is looked at that tells how many B pictures come before it. So the
 * motion between several anchors can be searched side by side.
 */
const DISTANCE = 4;
/** So many P pictures in a row must agree: one alone, as at a flash, tells little. */
const IN_A_ROW = 2;
/**
 * So many answers in a row are 0 at most. The next anchor follows B pictures: the motion to it and to the picture after
 * the anchor before tell anew.
 */
const MAX_WITHOUT_B = 24;

/** The motion to a P picture. */
interface AnchorChange {
  readonly anchorNumber: number;
  readonly find: () => Promise<Pick<MotionChange, 'mostB'>>;
}

/** Tells how many B pictures pay, by the motion between the anchors before. */
export class MotionChanges {
  /** In the order of their numbers; none that is not asked about any more. */
  #changes: AnchorChange[] = [];
  #lastAnchor = -1;
  /** How many of the last answers were 0. */
  #withoutB = 0;
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
   * How many B pictures pay at most before the anchor with a number; infinite where any number may. Waits for the
   * anchors that tell. It is asked at most once for an anchor, in the order of their numbers, and where a P picture can
   * follow so many B pictures. Rejects as the estimator does.
   */
  async mostB(anchorNumber: number): Promise<number> {
    const most = this.#withoutB < MAX_WITHOUT_B ? await this.#found(anchorNumber) : Number.POSITIVE_INFINITY;
    this.#withoutB = most === 0 ? this.#withoutB + 1 : 0;
    return most;
  }

  async #found(anchorNumber: number): Promise<number> {
    const last = anchorNumber - DISTANCE;
    while (this.#lastAnchor < last) {
      await new Promise<void>(resolve => {
        this.#onAnchor = resolve;
      });
    }
    const isLater = (change: AnchorChange) => change.anchorNumber > last;
    const telling = this.#changes.filter(change => !isLater(change)).slice(-IN_A_ROW);
    this.#changes = [...telling, ...this.#changes.filter(isLater)];
    if (telling.length < IN_A_ROW) return Number.POSITIVE_INFINITY;
    const found = await Promise.all(telling.map(({ find }) => find()));
    return Math.max(...found.map(({ mostB }) => mostB));
  }
}
