/** Puts things that come in coded order back into display order. */
export class DisplayOrder<T> {
  readonly #early = new Map<number, T>();
  #next = 0;

  /** Takes what has this display number; returns all that can be shown now, with their numbers. */
  push(displayNumber: number, item: T): [displayNumber: number, item: T][] {
    this.#early.set(displayNumber, item);
    const shown: [number, T][] = [];
    for (let item = this.#early.get(this.#next); item !== undefined; item = this.#early.get(this.#next)) {
      this.#early.delete(this.#next);
      shown.push([this.#next++, item]);
    }
    return shown;
  }
}
