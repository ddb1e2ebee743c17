// Lets a thread sleep between the polls of a GPU binding.
import { canShareMemory } from '../../threads/shared-memory.js';

/** How long the thread sleeps before each poll, in milliseconds. */
const PAUSE_MS = 0.2;
/** It sleeps when the last request or answer is this long ago: answers that come soon are not delayed. */
const SPIN_MS = 2;

/**
 * Makes `setImmediate` of the calling thread sleep 0.2 ms before each callback, from 2 ms after the last `keepAwake`
 * on. Dawn's binding for Node polls by `setImmediate` while it awaits an answer, without a pause: a thread that waits
 * for a compiler takes a whole core. For threads that do nothing but search. Does nothing in a browser, which does not
 * poll.
 */
export class PollingPause {
  readonly #usual: typeof setImmediate | undefined = globalThis.setImmediate;
  readonly #asleep = canShareMemory() ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  #awakeUntilMs = 0;

  constructor() {
    const asleep = this.#asleep;
    const usual = this.#usual;
    if (!asleep || !usual) return;
    const pausing = (callback: (...args: unknown[]) => void, ...args: unknown[]) =>
      usual(() => {
        if (performance.now() > this.#awakeUntilMs) Atomics.wait(asleep, 0, 0, PAUSE_MS);
        callback(...args);
      });
    globalThis.setImmediate = Object.assign(pausing, usual) as typeof setImmediate;
  }

  /** A request or an answer has come. */
  keepAwake(): void {
    this.#awakeUntilMs = performance.now() + SPIN_MS;
  }

  /** Restores `setImmediate`. */
  end(): void {
    if (this.#usual) globalThis.setImmediate = this.#usual;
  }
}
