// The motion of the last pictures from the one before each, shared by the threads that search it, row by row.
import type { RowProgress } from '../../../motion/cpu/cpu-estimator.js';
import type { MotionField, StartField } from '../../../motion/estimator.js';
import type { MacroblockGrid } from '../../../picture/picture.js';
import { canShareMemory } from '../../../threads/shared-memory.js';

/** Rows of macroblocks that are given together: a thread that waits is woken for them. 4 and 16 are as fast. */
const ROWS_TOGETHER = 8;
const { BYTES_PER_ELEMENT } = Int16Array;
/** An entry begins with how far it is. */
const HEADER_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** What the size of the memory follows from. */
export interface SharedStepsShape {
  readonly grid: Pick<MacroblockGrid, 'mbWidth' | 'mbHeight'>;
  /** How many pictures have entries, see {@link entriesFor}. */
  readonly entries: number;
}

/**
 * How many entries there must be for threads that search pictures in turn, each from the vectors `startDistance`
 * pictures before. The thread that gives an entry to another picture has searched the one that started from it: that
 * one is so many pictures earlier as there are threads.
 */
export function entriesFor(threads: number, startDistance: number): number {
  return threads + startDistance;
}

/**
 * The best vectors of the last pictures from the one before each, in memory that threads share. The search of a picture
 * starts from those of an earlier one, row by row: while one thread searches a picture, others follow it a few rows
 * behind. Pictures have entries in turn.
 *
 *     | rows | dx | dy |        rows: how many are there, of all pictures that the entry has held; modulo 2^32
 */
export class SharedSteps {
  readonly #mbWidth: number;
  readonly #mbHeight: number;
  readonly #entries: readonly (StartField & { readonly rows: Int32Array })[];

  /** `memory`: that of `SharedSteps.memory` for the same shape. */
  constructor(memory: ArrayBufferLike, { grid: { mbWidth, mbHeight }, entries }: SharedStepsShape) {
    this.#mbWidth = mbWidth;
    this.#mbHeight = mbHeight;
    const count = mbWidth * mbHeight;
    this.#entries = Array.from({ length: entries }, (_, i) => {
      const at = i * entryBytes(count);
      const components = (part: number) =>
        new Int16Array(memory, at + HEADER_BYTES + part * BYTES_PER_ELEMENT * count, count);
      return { rows: new Int32Array(memory, at, 1), dx: components(0), dy: components(1) };
    });
  }

  /** Memory in which no vectors are known; where none can be shared, for one thread. */
  static memory({ grid: { mbWidth, mbHeight }, entries }: SharedStepsShape): ArrayBufferLike {
    const bytes = entries * entryBytes(mbWidth * mbHeight);
    return canShareMemory() ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
  }

  /** The vectors of a picture; a row of them may be read once `waitForRow` has returned. */
  vectors(displayNumber: number): StartField {
    return this.#entry(displayNumber);
  }

  /** Waits, and blocks the thread, until a row of a picture's vectors is there. */
  waitForRow(displayNumber: number, row: number): void {
    const { rows } = this.#entry(displayNumber);
    const needed = this.#rowsUntil(displayNumber, row + 1);
    for (let known = Atomics.load(rows, 0); ((known - needed) | 0) < 0; known = Atomics.load(rows, 0)) {
      Atomics.wait(rows, 0, known);
    }
  }

  /** The best vectors of a row of a picture's field are found; those of the rows before have been given. */
  give(displayNumber: number, row: number, { dx, dy, candidatesPerBlock }: GivenField): void {
    const entry = this.#entry(displayNumber);
    for (let address = row * this.#mbWidth; address < (row + 1) * this.#mbWidth; address++) {
      entry.dx[address] = dx[address * candidatesPerBlock]!;
      entry.dy[address] = dy[address * candidatesPerBlock]!;
    }
    const count = row + 1;
    if (count % ROWS_TOGETHER > 0 && count < this.#mbHeight) return;
    Atomics.store(entry.rows, 0, this.#rowsUntil(displayNumber, count));
    Atomics.notify(entry.rows, 0);
  }

  /** Has the search of a picture give its rows here, and wait for those of picture `startFrom`, if it starts there. */
  progress(displayNumber: number, startFrom: number | undefined): RowProgress {
    return {
      waitForStart: row => {
        if (startFrom !== undefined) this.waitForRow(startFrom, row);
      },
      found: (row, field) => this.give(displayNumber, row, field),
    };
  }

  #entry(displayNumber: number): StartField & { readonly rows: Int32Array } {
    return this.#entries[displayNumber % this.#entries.length]!;
  }

  /** The counter of an entry when it has the first `count` rows of a picture. */
  #rowsUntil(displayNumber: number, count: number): number {
    return (Math.floor(displayNumber / this.#entries.length) * this.#mbHeight + count) | 0;
  }
}

type GivenField = Pick<MotionField, 'dx' | 'dy' | 'candidatesPerBlock'>;

function entryBytes(macroblocks: number): number {
  return HEADER_BYTES + 2 * BYTES_PER_ELEMENT * macroblocks;
}
