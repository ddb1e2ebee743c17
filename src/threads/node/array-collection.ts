// Has the arrays of a thread collected before many that nobody needs lie there.
import { getHeapStatistics } from 'node:v8';

/** V8 collects arrays that have lived for a while when a thread has so many bytes more of them than after last time. */
const BYTES_OF_V8 = 64 * 2 ** 20;
/** So many bytes more there are here, about. */
const MAX_MORE_BYTES = 4 * 2 ** 20;

/**
 * Keeps the arrays of the calling thread few. Pictures come and go with arrays of some kilobytes each, and a dozen
 * threads would keep hundreds of megabytes of those that nobody needs. A buffer of `BYTES_OF_V8`, no page of which is
 * touched, makes V8 collect them earlier, beside what the thread does; another one makes it hurry.
 */
export class ArrayCollection {
  #limitBytes = Number.POSITIVE_INFINITY;

  /** To be called now and then, when the thread has done something: makes V8 collect if there are many arrays more. */
  check(): void {
    const bytes = getHeapStatistics().external_memory;
    this.#limitBytes = Math.min(this.#limitBytes, bytes + MAX_MORE_BYTES);
    if (bytes < this.#limitBytes) return;
    this.#limitBytes = bytes + BYTES_OF_V8 + MAX_MORE_BYTES;
    try {
      new ArrayBuffer(BYTES_OF_V8);
    } catch {
      // The system gives no more: V8 has collected before it said so.
    }
  }
}
