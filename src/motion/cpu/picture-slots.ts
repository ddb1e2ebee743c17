import type { LumaPicture } from '../estimator.js';

/**
 * A few places for prepared pictures, found again by picture id. A picture that is not there takes the place that has been
 * out of use for longest, so the two of a pair stay side by side as long as there are two places.
 */
export class PictureSlots<Slot> {
  /** Slots by picture id, the one used last at the end. */
  readonly #byId = new Map<number, Slot>();
  readonly #free: Slot[];

  constructor(slots: readonly Slot[]) {
    this.#free = [...slots];
  }

  /** The slot of `picture`; `fill` is called to put its pels there unless they are. */
  take(picture: LumaPicture, fill: (slot: Slot, picture: LumaPicture) => void): Slot {
    let slot = this.#byId.get(picture.id);
    if (slot === undefined) {
      slot = this.#free.pop() ?? this.#evict();
      fill(slot, picture);
    }
    this.#byId.delete(picture.id);
    this.#byId.set(picture.id, slot);
    return slot;
  }

  #evict(): Slot {
    const [id, slot] = this.#byId.entries().next().value!;
    this.#byId.delete(id);
    return slot;
  }
}
