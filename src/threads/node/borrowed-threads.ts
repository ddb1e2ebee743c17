// Threads that another thread has started for this one.
import type { MessagePort } from 'node:worker_threads';
import type { Borrowed, HostedThread, ThreadEntry, ThreadSource } from '../thread-messages.js';
import { PortWork } from './port-work.js';
import { startThread } from './start-thread.js';

/** Threads that were lent, all with one entry, and threads that are started here when more are asked for. */
export class BorrowedThreads implements Borrowed {
  readonly #ports: MessagePort[];
  readonly #more: ThreadSource;
  #areIdle = true;

  /** `ports`: those of `LentThreads`. `more`: where other threads come from; by default they are started. */
  constructor(ports: readonly object[] = [], more: ThreadSource = { start: startThread }) {
    this.#ports = [...(ports as readonly MessagePort[])];
    this.#more = more;
  }

  /** A thread that was lent, whose entry must be `entry`, or one more. */
  async start(entry: ThreadEntry, onDeath: (reason: unknown) => void): Promise<HostedThread> {
    const port = this.#ports.pop();
    if (!port) return this.#more.start(entry, onDeath);
    const work = new PortWork(port, entry, onDeath);
    port.on('close', () => work.die(new Error('it has ended')));
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
