// Has the arrays of a thread collected before many that nobody needs lie there.
import { getHeapStatistics } from 'node:v8';

/** V8 collects arrays that have lived for a while when there are so many bytes more than after its last collection. */
const BYTES_OF_V8 = 64 * 2 ** 20;
/** Here it collects when there are about so many bytes more. */
const MAX_MORE_BYTES = 4 * 2 ** 20;
/** A collection of what is new is worth its time if it frees so much; more than it frees has lived for a while. */
const MIN_FREED_BYTES = MAX_MORE_BYTES / 2;
/** More than the room for what is new in our threads: a third of `YOUNG_GENERATION_MIB` of pool-thread.ts. */
const NEW_BYTES = 1.1 * 2 ** 20;
/** An array of so many elements, of 8 bytes each, is new where it fits; a larger one lies elsewhere. */
const NEW_ELEMENTS = 8000;

/**
 * Keeps the arrays of the calling thread few. Pictures come and go with arrays of some kilobytes each, and a dozen
 * threads would keep hundreds of megabytes of those that nobody needs. V8 collects what is new when its room is full,
 * in a tenth of the time of a whole collection, but it does not count there how long arrays are: so the room is filled.
 * Where that frees little, a buffer of `BYTES_OF_V8`, no page of which is touched, makes V8 collect all, beside what
 * the thread does; another one makes it hurry.
 */
export class ArrayCollection {
  #limitBytes = Number.POSITIVE_INFINITY;
  /** Bytes when what is new was collected, until that has freed `MIN_FREED_BYTES`. */
  #collectedAt: number | undefined;

  /** To be called now and then, when the thread has done something: makes V8 collect if there are many arrays more. */
  check(): void {
    const bytes = getHeapStatistics().external_memory;
    this.#limitBytes = Math.min(this.#limitBytes, bytes + MAX_MORE_BYTES);
    if (this.#collectedAt !== undefined && bytes <= this.#collectedAt - MIN_FREED_BYTES) this.#collectedAt = undefined;
    if (bytes < this.#limitBytes) return;
    if (this.#collectedAt === undefined) {
      this.#collectedAt = bytes;
      collectNew();
    } else {
      this.#collectedAt = undefined;
      this.#limitBytes = bytes + BYTES_OF_V8 + MAX_MORE_BYTES;
      collectAll();
    }
  }
}

function collectNew(): void {
  let filled = 0;
  while (filled < NEW_BYTES) filled += 8 * new Array(NEW_ELEMENTS).length;
}

function collectAll(): void {
  try {
    new ArrayBuffer(BYTES_OF_V8);
  } catch {
    // The system gives no more: V8 has collected before it said so.
  }
}
