// Puts what comes in coded order back into display order.

/** Items by display number, from 0 on. */
export class DisplayOrder<T> {
  readonly #waiting = new Map<number, T>();
  #next = 0;

  /** Takes the item of a display number; returns the items that can be shown now, in display order. */
  push(displayNumber: number, item: T): [displayNumber: number, item: T][] {
    this.#waiting.set(displayNumber, item);
    const shown: [number, T][] = [];
    for (let item = this.#waiting.get(this.#next); item !== undefined; item = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next);
      shown.push([this.#next++, item]);
    }
    return shown;
  }
}
