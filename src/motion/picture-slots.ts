// Keeps the pictures used last in a few slots, found by picture id, so that each is prepared once.
import type { LumaPicture } from './estimator.js';

/** Slots for prepared pictures. A picture without a slot takes a new one, or the one that was unused for longest. */
export class PictureSlots<Slot> {
  /** Slots by picture id, the one used last at the end. */
  readonly #byId = new Map<number, Slot>();
  #created = 0;

  /** `createSlot` makes the slot with an index, 0..`capacity - 1`; it is called when the slot is first needed. */
  constructor(
    readonly capacity: number,
    readonly createSlot: (index: number) => Slot,
  ) {}

  /** The slot of `picture`. `fill` puts its pels there if they are not. The picture `partnerId` keeps its slot. */
  take(picture: LumaPicture, partnerId: number, fill: (slot: Slot, picture: LumaPicture) => void): Slot {
    let slot = this.#byId.get(picture.id);
    if (slot === undefined) {
      slot = this.#emptySlot(partnerId);
      fill(slot, picture);
    }
    this.#byId.delete(picture.id);
    this.#byId.set(picture.id, slot);
    return slot;
  }

  #emptySlot(partnerId: number): Slot {
    if (this.#created === this.capacity) {
      for (const [id, slot] of this.#byId) {
        if (id === partnerId) continue;
        this.#byId.delete(id);
        return slot;
      }
    }
    return this.createSlot(this.#created++);
  }
}
