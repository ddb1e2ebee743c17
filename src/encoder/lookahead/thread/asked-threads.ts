// Which of several threads is asked about a picture.

/** A thread, and how many of its questions are open. */
interface AskedThread<Thread> {
  readonly thread: Thread;
  open: number;
}

/**
 * Threads that are asked about pictures. The first question about a picture goes to the thread with the fewest open
 * ones, since pictures take different times, and so do threads that share a core with others. Later ones go to the same
 * thread: it keeps what it has found.
 */
export class AskedThreads<Thread> {
  readonly #threads: readonly AskedThread<Thread>[];
  readonly #maxPictures: number;
  /** By display number, the threads that were asked about the last pictures. */
  readonly #asked = new Map<number, AskedThread<Thread>>();

  /** `maxPictures`: how many pictures before the one that it is asked about a thread keeps. */
  constructor(threads: readonly Thread[], maxPictures: number) {
    this.#threads = threads.map(thread => ({ thread, open: 0 }));
    this.#maxPictures = maxPictures;
  }

  /** The answer of a thread to `ask`, which is told whether this is its first question about the picture. */
  async ask<Answer>(
    displayNumber: number,
    ask: (thread: Thread, isFirst: boolean) => Promise<Answer>,
  ): Promise<Answer> {
    for (const number of this.#asked.keys()) if (number < displayNumber - this.#maxPictures) this.#asked.delete(number);
    const known = this.#asked.get(displayNumber);
    const asked = known ?? this.#leastAsked(displayNumber);
    this.#asked.set(displayNumber, asked);
    asked.open++;
    try {
      return await ask(asked.thread, known === undefined);
    } finally {
      asked.open--;
    }
  }

  /** Of those with the fewest open questions, the one whose turn comes first. */
  #leastAsked(displayNumber: number): AskedThread<Thread> {
    const count = this.#threads.length;
    let least = this.#threads[displayNumber % count]!;
    for (let next = 1; next < count; next++) {
      const other = this.#threads[(displayNumber + next) % count]!;
      if (other.open < least.open) least = other;
    }
    return least;
  }
}
