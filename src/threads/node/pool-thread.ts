// A thread of Node that does one work after the other: a pool of one.
import { type MessagePort as NodePort, SHARE_ENV } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { PortWork } from '../port-work.js';
import type { ThreadEntry } from '../thread-messages.js';
import { threadEntry } from './thread-entry.js';
import { heapOf } from './thread-heap.js';

/** What the pool loads; it loads the entry. */
const LOADER = threadEntry(import.meta.url, 'thread-loader.cjs');

/**
 * A thread that runs the file `entry`, whose default export is made by `answerMessages`.
 *
 * The pool has one task for each work: to answer the messages of a port. Tasks of the work are sent there, since the
 * pool takes longer for one than all else that is done to send it, and cannot hand the buffers of an answer over.
 */
export class PoolThread {
  /** How many works it was given. */
  works = 0;
  readonly #pool: Piscina<MessagePort, void>;
  #isEnding = false;
  #hasDied = false;
  #ended: Promise<void> | undefined;
  /** Is told why the thread has ended. */
  #onDeath: (reason: unknown) => void = () => {};

  private constructor(pool: Piscina<MessagePort, void>) {
    this.#pool = pool;
    pool.on('error', reason => this.#die(reason));
    pool.threads[0]!.on('exit', code => {
      // An error that has ended it is told first.
      if (!this.#isEnding) setImmediate(() => this.#die(new Error(`it exited with code: ${code}`)));
    });
    // The pool would replace the thread, or keep its task for one that cannot start.
    pool.on('workerDestroy', () => {
      // A `destroy` in this event may never resolve. A second one, after another, may replace the thread that exits.
      if (!this.#isEnding) void pool.destroy();
    });
  }

  static async start(entry: string): Promise<PoolThread> {
    // Whoever starts no threads does not load it.
    const { Piscina } = await import('piscina');
    const pool = new Piscina<MessagePort, void>({
      filename: LOADER,
      workerData: entry,
      minThreads: 1,
      maxThreads: 1,
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: heapOf(entry).youngGenerationMib },
      // A thread that sleeps in Atomics.wait hears nothing from its GPU, nor from threads of its own.
      atomics: 'disabled',
      // A GPU's thread sets variables that native code reads, which sees those of the process only.
      env: SHARE_ENV,
    });
    return new PoolThread(pool);
  }

  /** Whether it has ended. */
  get isDead(): boolean {
    return this.#hasDied || this.#isEnding;
  }

  /**
   * Gives it a work, which its entry starts with `data`; the work before is over. `onDeath` is told why the thread has
   * ended, or could not start. The work's `end` ends it alone, where it is idle, and not the thread. Where the data
   * cannot be sent, it ends the thread and throws.
   */
  give({ data, handedOver }: Omit<ThreadEntry, 'entry'>, onDeath: (reason: unknown) => void): PortWork {
    const { port1, port2 } = new MessageChannel();
    let work: PortWork;
    try {
      work = new PortWork(port1, { data, handedOver }, onDeath);
    } catch (error) {
      void this.end();
      throw error;
    }
    this.giveTo(port2, reason => work.die(reason));
    return work;
  }

  /** Gives it the work whose asker has the other end of `port`. */
  giveTo(port: MessagePort, onDeath: (reason: unknown) => void): void {
    this.works++;
    this.#onDeath = onDeath;
    this.#pool.run(port, { transferList: [port as unknown as NodePort] }).catch(reason => this.#die(reason));
  }

  /** Ends the thread at once. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#ended ??= this.#pool.destroy();
    await this.#ended;
  }

  #die(reason: unknown): void {
    this.#hasDied = true;
    this.#onDeath(reason);
  }
}
