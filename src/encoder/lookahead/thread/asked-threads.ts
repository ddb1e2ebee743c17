// Threads that are asked about pictures: threads that do nothing else, or coder threads that code nothing.
import { ThreadClaims } from '../../../threads/thread-claims.js';
import type { LentCoders } from '../../coders/shared-coders.js';

/** Threads, one of which is asked. */
export interface AskedThreads<Thread> {
  /** How many are asked at a time. */
  readonly count: number;
  /** Whether somebody else is ending them. */
  readonly areEnding: boolean;
  /** The answer of one of them to `ask`; undefined where none runs. */
  ask<Answer>(ask: (thread: Thread) => Promise<Answer>): Promise<Answer | undefined>;
  /** None is asked any more. */
  close(): void;
}

/** Threads that do nothing else. As pictures take different times, the one with the fewest open questions is asked. */
export class OwnThreads<Thread> implements AskedThreads<Thread> {
  readonly areEnding = false;
  readonly #threads: readonly { readonly thread: Thread; open: number }[];

  constructor(threads: readonly Thread[]) {
    this.#threads = threads.map(thread => ({ thread, open: 0 }));
  }

  get count(): number {
    return this.#threads.length;
  }

  async ask<Answer>(ask: (thread: Thread) => Promise<Answer>): Promise<Answer> {
    const asked = this.#threads.reduce((least, other) => (other.open < least.open ? other : least));
    asked.open++;
    try {
      return await ask(asked.thread);
    } finally {
      asked.open--;
    }
  }

  close(): void {}
}

/** Coder threads: a question is asked of one that codes nothing and has no other question. */
export class AskedCoders<Thread extends { end(): Promise<void> }> implements AskedThreads<Thread> {
  readonly count: number;
  readonly #ports: readonly MessagePort[];
  readonly #claims: ThreadClaims;
  readonly #open: (port: MessagePort) => Promise<Thread>;
  /** By number, the threads that have been asked. */
  readonly #opened = new Map<number, Promise<Thread>>();
  /** Questions that wait for a thread, the first one first. Each is told a number, or undefined where none runs. */
  readonly #waiting: ((thread: number | undefined) => void)[] = [];
  #asked = 0;
  #isClosed = false;

  /** `count` are asked at a time. `open` makes the one at the other end of a port ready for its first question. */
  constructor({ claims, claimsPort, ports }: LentCoders, count: number, open: (port: MessagePort) => Promise<Thread>) {
    this.count = count;
    this.#ports = ports;
    this.#open = open;
    this.#claims = new ThreadClaims(claims, 'lookahead', claimsPort, thread => this.#given(thread));
  }

  get areEnding(): boolean {
    return this.#claims.areClosed;
  }

  async ask<Answer>(ask: (thread: Thread) => Promise<Answer>): Promise<Answer | undefined> {
    const number = await this.#claim();
    if (number === undefined) return undefined;
    try {
      if (this.#isClosed) return undefined; // meanwhile: nobody would hear the question
      const opened = this.#opened.get(number) ?? this.#open(this.#ports[number]!);
      this.#opened.set(number, opened);
      return await ask(await opened);
    } finally {
      this.#asked--;
      if (!this.#giveToWaiting(number)) this.#claims.release(number);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#endWaits();
    this.#claims.want(0);
    for (const opened of this.#opened.values()) end(opened);
    for (const port of this.#ports) port.close();
  }

  #claim(): Promise<number | undefined> {
    return new Promise(settle => {
      this.#waiting.push(settle);
      this.#claimForWaiting();
      if (!this.#claims.hasRunning) this.#endWaits();
    });
  }

  /** Claims threads for the questions that wait, and says how many more are waited for. */
  #claimForWaiting(): void {
    for (;;) {
      const wanted = Math.max(0, Math.min(this.#waiting.length, this.count - this.#asked));
      // Before it looks: whoever releases one from now on gives it to this thread.
      this.#claims.want(wanted);
      const free = wanted > 0 ? this.#claims.claim() : undefined;
      if (free === undefined) return;
      this.#giveToWaiting(free);
    }
  }

  /** Gives a thread that is claimed to the question that comes first, if one may be asked. */
  #giveToWaiting(number: number): boolean {
    const next = this.#asked < this.count ? this.#waiting.shift() : undefined;
    if (!next) return false;
    this.#asked++;
    next(number);
    return true;
  }

  /** A thread was claimed for this one; undefined: one has ended, or runs now. */
  #given(thread: number | undefined): void {
    // Not every browser says that the other end of a port is gone.
    for (const [number, opened] of this.#opened) if (this.#claims.hasEnded(number)) end(opened);
    if (thread !== undefined && !this.#giveToWaiting(thread)) this.#claims.release(thread);
    if (this.#claims.hasRunning) this.#claimForWaiting();
    else this.#endWaits();
  }

  #endWaits(): void {
    for (const settle of this.#waiting.splice(0)) settle(undefined);
  }
}

/** Ends the work of a thread: whoever has asked is told. */
function end(opened: Promise<{ end(): Promise<void> }>): void {
  opened.then(thread => thread.end()).catch(() => {}); // it has not been opened
}
