// The access units between the coder and the caller.

import type { AccessUnit } from '../bitstream/access-unit.js';

/**
 * Access units in coded order. The newest one is held back, because sequence_end_code goes with the last of a stream.
 */
export class AccessUnitQueue {
  /** Whether the caller takes units: if so, the coder waits for the caller. */
  isTaken = false;
  readonly #units: AccessUnit[] = [];
  #newest: AccessUnit | undefined;

  /** Units that can be taken. */
  get length(): number {
    return this.#units.length;
  }

  push(unit: AccessUnit): void {
    if (this.#newest) this.#units.push(this.#newest);
    this.#newest = unit;
  }

  /** The last unit has been pushed: `sequenceEnd` is added to it. Returns the bits added; 0 if there is no unit. */
  end(sequenceEnd: Uint8Array): number {
    const last = this.#newest;
    if (!last) return 0;
    const data = new Uint8Array(last.data.length + sequenceEnd.length);
    data.set(last.data);
    data.set(sequenceEnd, last.data.length);
    this.#units.push({ ...last, data });
    this.#newest = undefined;
    return sequenceEnd.length * 8;
  }

  /** Takes the oldest unit; undefined if there is none. */
  shift(): AccessUnit | undefined {
    return this.#units.shift();
  }
}
