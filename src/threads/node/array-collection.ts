// Has the arrays of a thread collected before many that nobody needs lie there.
import { getHeapStatistics } from 'node:v8';
import type { ThreadHeap } from './thread-heap.js';

/** V8 collects arrays that have lived for a while when there are so many bytes more than after its last collection. */
const BYTES_OF_V8 = 64 * 2 ** 20;
/** A collection of what is new is worth its time if it frees this part; more than it frees has lived for a while. */
const MIN_FREED_PART = 0.5;
/** More than the room for what is new: it is a third of V8's young generation. */
const NEW_PART = 1.1 / 3;
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
  readonly #heap: ThreadHeap;
  #limitBytes = Number.POSITIVE_INFINITY;
  /** Bytes when what is new was collected, until that has freed `MIN_FREED_PART`. */
  #collectedAt: number | undefined;

  /** `heap`: that of the calling thread. */
  constructor(heap: ThreadHeap) {
    this.#heap = heap;
  }

  /** To be called now and then, when the thread has done something: makes V8 collect if there are many arrays more. */
  check(): void {
    const { maxMoreArrayBytes, youngGenerationMib } = this.#heap;
    const bytes = getHeapStatistics().external_memory;
    this.#limitBytes = Math.min(this.#limitBytes, bytes + maxMoreArrayBytes);
    const freed = (this.#collectedAt ?? bytes) - bytes;
    if (freed >= MIN_FREED_PART * maxMoreArrayBytes) this.#collectedAt = undefined;
    if (bytes < this.#limitBytes) return;
    if (this.#collectedAt === undefined) {
      this.#collectedAt = bytes;
      collectNew(NEW_PART * youngGenerationMib * 2 ** 20);
    } else {
      this.#collectedAt = undefined;
      this.#limitBytes = bytes + BYTES_OF_V8 + maxMoreArrayBytes;
      collectAll();
    }
  }
}

function collectNew(roomBytes: number): void {
  let filled = 0;
  while (filled < roomBytes) filled += 8 * new Array(NEW_ELEMENTS).length;
}

function collectAll(): void {
  try {
    new ArrayBuffer(BYTES_OF_V8);
  } catch {
    // The system gives no more: V8 has collected before it said so.
  }
}
