// Threads that another thread has started for this one.
import { workAt } from '../thread-at.js';
import type { Borrowed, HostedThread, ThreadEntry, ThreadSource } from '../thread-messages.js';
import { startThread } from './start-thread.js';

/** Threads that were lent, all with one entry, and threads that are started here when more are asked for. */
export class BorrowedThreads implements Borrowed {
  readonly #ports: MessagePort[];
  readonly #more: ThreadSource;
  #areIdle = true;

  /**
   * `ports`: those of `LentThreads`; `keepsThreads`: whether these are kept. `more`: where other threads come from; by
   * default they are started.
   */
  constructor(
    ports: readonly MessagePort[] = [],
    more: ThreadSource = { start: startThread },
    readonly keepsThreads = false,
  ) {
    this.#ports = [...ports];
    this.#more = more;
  }

  /** A thread that was lent, whose entry must be `entry`, or one more. */
  async start(entry: ThreadEntry, onDeath: (reason: unknown) => void): Promise<HostedThread> {
    const port = this.#ports.pop();
    if (!port) return this.#more.start(entry, onDeath);
    const work = workAt(port, entry, onDeath);
    return {
      run: work.run,
      end: async () => {
        this.#areIdle &&= work.isIdle;
        await work.end();
      },
    };
  }

  giveBack(): boolean {
    for (const port of this.#ports.splice(0)) port.close();
    return this.#areIdle;
  }
}
