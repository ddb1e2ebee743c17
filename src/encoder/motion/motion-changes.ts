// What the motion between anchors says of how many B pictures pay after later ones.

/**
 * How many anchors before the next one the motion is looked at that tells how many B pictures come before it. So the
 * motion between several anchors can be searched side by side.
 */
const DISTANCE = 4;
/** So many P pictures in a row must agree: one alone, as at a flash, tells little. */
const IN_A_ROW = 2;

/** What the motion to a P picture tells; see `paysOneB`. */
interface MotionChange {
  readonly anchorNumber: number;
  readonly paysOneB: () => Promise<boolean>;
}

/** Tells whether one B picture pays more than several, by the motion between the anchors before. */
export class MotionChanges {
  /** In the order of their numbers; none that is not asked about any more. */
  #changes: MotionChange[] = [];
  #lastAnchor = -1;
  #onAnchor = () => {};

  /**
   * The motion to the next anchor has been asked for. `paysOneB` is what it tells, if it is that of a P picture that
   * follows B pictures.
   */
  add(anchorNumber: number, paysOneB?: () => Promise<boolean>): void {
    if (paysOneB) this.#changes.push({ anchorNumber, paysOneB });
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
    const isLater = (change: MotionChange) => change.anchorNumber > last;
    const telling = this.#changes.filter(change => !isLater(change)).slice(-IN_A_ROW);
    this.#changes = [...telling, ...this.#changes.filter(isLater)];
    const agree = await Promise.all(telling.map(({ paysOneB }) => paysOneB()));
    return agree.length === IN_A_ROW && !agree.includes(false);
  }
}
