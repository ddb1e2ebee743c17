// Threads that two others ask: which of the two has each of them.

/** Who asks them: the calling thread, or the lookahead's. */
export type Asker = 'caller' | 'lookahead';

/** States of a thread; at first, with 0, it is being started. */
const ENDED = 1;
const FREE = 2;
const HELD = { caller: 3, lookahead: 4 } as const;
/** Where the memory has how many threads each asker waits for, whether all are ended, and where the states begin. */
const WANTED = { caller: 0, lookahead: 1 } as const;
const CLOSED = 2;
const STATES = 3;
/** The message that a thread runs now, or has ended, instead of the number of one that is given. */
const CHANGED = -1;

/**
 * The claims of one of two threads that ask the same other ones. Whoever has claimed a thread may ask it, and nobody
 * else, until it is released: a question never waits for an answer to the other asker. Claims are words in memory that
 * both share. Whoever releases a thread that the other one waits for gives it to that one, which is told by a message.
 */
export class ThreadClaims {
  readonly #words: Int32Array;
  readonly #port: MessagePort;
  readonly #wanted: number;
  readonly #othersWanted: number;
  readonly #held: number;
  readonly #othersHeld: number;

  /**
   * `memory`: that of `ThreadClaims.memory`. `onGiven` is told of each thread that was claimed for this asker, and of
   * undefined when the other one has added or removed a thread.
   */
  constructor(
    memory: SharedArrayBuffer,
    asker: Asker,
    port: MessagePort,
    onGiven: (thread: number | undefined) => void,
  ) {
    const other = asker === 'caller' ? 'lookahead' : 'caller';
    this.#words = new Int32Array(memory);
    this.#port = port;
    this.#wanted = WANTED[asker];
    this.#othersWanted = WANTED[other];
    this.#held = HELD[asker];
    this.#othersHeld = HELD[other];
    port.onmessage = ({ data }: MessageEvent<number>) => onGiven(data === CHANGED ? undefined : data);
    this.#keepRunning(false);
  }

  /** Memory for so many threads, which are being started. */
  static memory(threads: number): SharedArrayBuffer {
    return new SharedArrayBuffer((STATES + threads) * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Whether any of the threads runs. */
  get hasRunning(): boolean {
    for (let word = STATES; word < this.#words.length; word++) if (Atomics.load(this.#words, word) >= FREE) return true;
    return false;
  }

  /** Whether the other asker waits for a thread. */
  get othersWait(): boolean {
    return Atomics.load(this.#words, this.#othersWanted) > 0;
  }

  /** Claims a thread that nobody has, if there is one; none once either asker has closed its claims. */
  claim(): number | undefined {
    if (this.areClosed) return undefined;
    for (let word = STATES; word < this.#words.length; word++) {
      if (Atomics.compareExchange(this.#words, word, FREE, this.#held) === FREE) return word - STATES;
    }
    return undefined;
  }

  /** So many threads are waited for from now on. Then try `claim` once more: one may have been released before. */
  want(count: number): void {
    Atomics.store(this.#words, this.#wanted, count);
    this.#keepRunning(count > 0);
  }

  /** Whether Node runs on until a message comes: all threads may be the other asker's. */
  #keepRunning(keeps: boolean): void {
    const port = this.#port as { ref?(): void; unref?(): void };
    if (keeps) port.ref?.();
    else port.unref?.();
  }

  /** Gives a claim up: the other asker gets the thread if it waits for one. */
  release(thread: number): void {
    const words = this.#words;
    const word = STATES + thread;
    do {
      if (this.#giveToOther(thread)) return;
      if (Atomics.compareExchange(words, word, this.#held, FREE) !== this.#held) return; // it has ended
      // The other asker may have looked for a free one before, and have said that it waits after we looked.
    } while (this.othersWait && Atomics.compareExchange(words, word, FREE, this.#held) === FREE);
  }

  /** A thread runs now. */
  add(thread: number): void {
    Atomics.store(this.#words, STATES + thread, this.#held);
    this.release(thread);
    this.#port.postMessage(CHANGED);
  }

  /** A thread has ended, whoever has it, or cannot start. */
  remove(thread: number): void {
    Atomics.store(this.#words, STATES + thread, ENDED);
    this.#port.postMessage(CHANGED);
  }

  /** Whether a thread has ended. */
  hasEnded(thread: number): boolean {
    return Atomics.load(this.#words, STATES + thread) === ENDED;
  }

  /** Whether the other asker has a thread. */
  isOthers(thread: number): boolean {
    return Atomics.load(this.#words, STATES + thread) === this.#othersHeld;
  }

  /** The other asker has ended: its threads are claimed for this one, which has to release them. */
  takeOver(): number[] {
    const taken: number[] = [];
    Atomics.store(this.#words, this.#othersWanted, 0);
    for (let word = STATES; word < this.#words.length; word++) {
      if (Atomics.compareExchange(this.#words, word, this.#othersHeld, this.#held) === this.#othersHeld)
        taken.push(word - STATES);
    }
    return taken;
  }

  /** All threads are going to be ended. Those that the other asker has now remain its own, and it gets no more. */
  close(): void {
    Atomics.store(this.#words, CLOSED, 1);
    for (let word = STATES; word < this.#words.length; word++) {
      Atomics.compareExchange(this.#words, word, FREE, this.#held);
    }
    this.#port.postMessage(CHANGED);
    this.#port.close();
  }

  /** Whether either asker has closed its claims. */
  get areClosed(): boolean {
    return Atomics.load(this.#words, CLOSED) !== 0;
  }

  /** Gives a thread to the other asker if it waits for one; whether the thread is no longer this one's. */
  #giveToOther(thread: number): boolean {
    const words = this.#words;
    const word = STATES + thread;
    if (!this.othersWait) return false;
    if (Atomics.compareExchange(words, word, this.#held, this.#othersHeld) !== this.#held) return true; // it has ended
    for (let wanted = Atomics.load(words, this.#othersWanted); wanted > 0; ) {
      const before = Atomics.compareExchange(words, this.#othersWanted, wanted, wanted - 1);
      if (before === wanted) {
        this.#port.postMessage(thread);
        return true;
      }
      wanted = before;
    }
    return Atomics.compareExchange(words, word, this.#othersHeld, this.#held) !== this.#othersHeld;
  }
}
