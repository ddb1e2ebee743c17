// The access units between the coder and the caller.

import type { AccessUnit } from '../bitstream/access-unit.js';
import type { Progress } from './progress.js';

/**
 * Access units in coded order. The newest one is held back, since sequence_end_code is added to the last of a stream. A
 * live stream ends without sequence_end_code, and nothing is held back.
 */
export class AccessUnitQueue {
  /** Whether the caller takes units: if so, the coder waits for the caller. */
  isTaken = false;
  /** Whether the last unit has been pushed. */
  isEnded = false;
  readonly #units: AccessUnit[] = [];
  #newest: AccessUnit | undefined;
  readonly #isLive: boolean;

  constructor(isLive = false) {
    this.#isLive = isLive;
  }

  /** Units that can be taken. */
  get length(): number {
    return this.#units.length;
  }

  push(unit: AccessUnit): void {
    if (this.#isLive) {
      this.#units.push(unit);
      return;
    }
    if (this.#newest) this.#units.push(this.#newest);
    this.#newest = unit;
  }

  /** The last unit has been pushed: `sequenceEnd` is added to it if it is held back. Returns the bits added. */
  end(sequenceEnd: Uint8Array): number {
    this.isEnded = true;
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

/** The caller's side of the queue: gives each unit as soon as it is coded. */
export class AccessUnitIteration implements AsyncIterableIterator<AccessUnit> {
  readonly #queue: AccessUnitQueue;
  readonly #progress: Progress;
  readonly #onLeft: () => void;
  #isOver = false;
  /** Settles when all calls of `next` so far have their results. */
  #turn: Promise<unknown> = Promise.resolve();

  /** `onLeft` is called when the iteration is left before its end. */
  constructor(queue: AccessUnitQueue, progress: Progress, onLeft: () => void) {
    this.#queue = queue;
    this.#progress = progress;
    this.#onLeft = onLeft;
  }

  /** The next unit: calls get theirs in their order. Rejects with the reason of a failed encode. */
  next(): Promise<IteratorResult<AccessUnit, undefined>> {
    this.#queue.isTaken = true;
    const taken = this.#turn.then(() => this.#take());
    this.#turn = taken.catch(() => {}); // whoever has called is told
    return taken;
  }

  async #take(): Promise<IteratorResult<AccessUnit, undefined>> {
    const queue = this.#queue;
    const progress = this.#progress;
    const value = await progress.when(
      () => queue.length > 0 || progress.isDone || this.#isOver,
      () => (this.#isOver ? undefined : queue.shift()),
    );
    if (this.#isOver) return { done: true, value: undefined };
    progress.throwIfFailed();
    progress.notify();
    if (value) return { done: false, value };
    this.#isOver = true;
    return { done: true, value: undefined };
  }

  /** The caller leaves the iteration. */
  async return(): Promise<IteratorResult<AccessUnit, undefined>> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#onLeft();
      this.#progress.notify();
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
