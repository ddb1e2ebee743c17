// Threads that another thread has started for this one.
import { workAt } from '../thread-at.js';
import type { Borrowed, HostedThread, ThreadEntry, ThreadSource } from '../thread-messages.js';
import { startThread } from './start-thread.js';

/** Threads that were lent, all with one entry, and threads that are started here when more are asked for. */
export class BorrowedThreads implements Borrowed {
  readonly #ports: MessagePort[];
  /** Those of threads that have ended. */
  readonly #ended = new WeakSet<MessagePort>();
  readonly #more: ThreadSource;
  #besides: { readonly [name: string]: MessagePort };
  #areIdle = true;

  /**
   * `ports`: those of `LentThreads`; `keepsThreads`: whether these are kept. `more`: where other threads come from; by
   * default they are started. `besides`: ports that the first of them gets with its data.
   */
  constructor(
    ports: readonly MessagePort[] = [],
    more: ThreadSource = { start: startThread },
    readonly keepsThreads = false,
    besides: { readonly [name: string]: MessagePort } = {},
  ) {
    this.#ports = [...ports];
    // A thread may end long before it is asked for, and nobody is told later.
    for (const port of ports) port.addEventListener('close', () => this.#ended.add(port));
    this.#more = more;
    this.#besides = besides;
  }

  /** A thread that was lent, whose entry must be `entry`, or one more. */
  async start(entry: ThreadEntry, onDeath: (reason: unknown) => void): Promise<HostedThread> {
    const port = this.#ports.pop();
    if (!port) return this.#more.start(entry, onDeath);
    const besides = this.#besides;
    this.#besides = {};
    const data = { ...(entry.data as object), ...besides };
    const handedOver = [...(entry.handedOver ?? []), ...Object.values(besides)];
    const work = workAt(port, { ...entry, data, handedOver }, onDeath);
    if (this.#ended.has(port)) work.die(new Error('it has ended'));
    return {
      run: work.run,
      end: async () => {
        this.#areIdle &&= work.isIdle;
        await work.end();
      },
    };
  }

  giveBack(): boolean {
    for (const port of [...this.#ports.splice(0), ...Object.values(this.#besides)]) port.close();
    return this.#areIdle;
  }
}
