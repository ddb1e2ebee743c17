// Keeps what belongs to a picture as long as later pictures may be predicted from that picture.
import { InternalError } from '../../errors.js';

/**
 * One item per picture, by display number. A picture is predicted from the anchors around it, so an item is kept until
 * the second anchor after its picture comes:
 *
 *     shown            P0 B1 B2 P3 B4 B5 P6
 *     advanceTo(6)     drops the items of 0, 1 and 2: B4 and B5 are still to be predicted from P3 and P6
 */
export class AnchorWindow<T> {
  readonly #items = new Map<number, T>();
  #newestAnchor = 0;

  /** All items, in the order in which they were added. */
  get items(): Iterable<T> {
    return this.#items.values();
  }

  get count(): number {
    return this.#items.size;
  }

  add(displayNumber: number, item: T): void {
    this.#items.set(displayNumber, item);
  }

  /** The item of a picture, or undefined where none is kept. */
  find(displayNumber: number): T | undefined {
    return this.#items.get(displayNumber);
  }

  /** The item of a picture that must still be there. */
  get(displayNumber: number): T {
    const item = this.#items.get(displayNumber);
    if (item === undefined) throw new InternalError(`picture ${displayNumber} is no longer kept`);
    return item;
  }

  /** Drops the item of a picture that no other is predicted from, and returns it. */
  remove(displayNumber: number): T {
    const item = this.get(displayNumber);
    this.#items.delete(displayNumber);
    return item;
  }

  /** Takes note of the next anchor; drops and returns the items of all pictures before the last anchor but one. */
  advanceTo(anchor: number): T[] {
    const dropped: T[] = [];
    for (const [displayNumber, item] of this.#items) {
      if (displayNumber >= this.#newestAnchor) continue;
      this.#items.delete(displayNumber);
      dropped.push(item);
    }
    this.#newestAnchor = anchor;
    return dropped;
  }
}
