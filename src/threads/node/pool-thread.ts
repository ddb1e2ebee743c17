// A thread of Node that does one work after the other: a pool of one.
import { MessageChannel, type MessagePort, SHARE_ENV } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { OpenTasks } from '../open-tasks.js';
import type { HostedThread, NumberedTask } from '../thread-messages.js';
import { threadEntry } from './thread-entry.js';

/** The part of a thread's heap for what has just been made, in MiB. */
const YOUNG_GENERATION_MIB = 3;

/** What the pool loads; it loads the entry. */
const LOADER = threadEntry(import.meta.url, 'thread-loader.cjs');

/** What the pool's task is given: where the messages of a work come from, and what its entry is started with. */
export interface AssignedWork {
  readonly port: MessagePort;
  readonly data: unknown;
}

/** A work of a thread. */
interface Work extends HostedThread {
  /** Whether all tasks are replied to. */
  readonly isIdle: boolean;
}

/**
 * A thread that runs the file `entry`, whose default export is made by `answerMessages`.
 *
 * The pool has one task for each work: to answer the messages of a port. Tasks of the work are sent there, since the
 * pool takes longer for one than all else that is done to send it, and cannot hand the buffers of an answer over.
 */
export class PoolThread {
  readonly #pool: Piscina<AssignedWork, void>;
  #isEnding = false;
  #hasDied = false;
  /** Is told why the thread has ended. */
  #onDeath: (reason: unknown) => void = () => {};

  private constructor(pool: Piscina<AssignedWork, void>) {
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
    const pool = new Piscina<AssignedWork, void>({
      filename: LOADER,
      workerData: entry,
      minThreads: 1,
      maxThreads: 1,
      recordTiming: false,
      // Short-lived arrays are freed sooner, and a thread's heap takes a few MiB less.
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
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
   * ended, or could not start. The work's `end` ends it alone, where it is idle, and not the thread.
   */
  give(data: unknown, onDeath: (reason: unknown) => void): Work {
    const { port1: port, port2: threadsPort } = new MessageChannel();
    const open = new OpenTasks();
    const die = (reason: unknown): void => {
      port.close();
      open.reject(reason);
      onDeath(reason);
    };
    this.#onDeath = die;
    this.#pool.run({ port: threadsPort, data }, { transferList: [threadsPort] }).catch(reason => this.#die(reason));
    port.on('message', reply => {
      // An idle thread does not keep the process running.
      if (open.settle(reply) === 0) port.unref();
    });
    port.on('messageerror', () => this.#die(new Error('a reply of it cannot be read')));
    port.unref();
    return {
      run: (message, handedOver) =>
        open.add(number => {
          port.postMessage({ number, message } satisfies NumberedTask, handedOver);
          port.ref();
        }),
      get isIdle() {
        return open.isEmpty;
      },
      end: async () => {
        this.#onDeath = () => {};
        port.close();
        open.reject(new Error('it was ended'));
      },
    };
  }

  /** Ends the thread at once. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#pool.destroy();
  }

  #die(reason: unknown): void {
    this.#hasDied = true;
    this.#onDeath(reason);
  }
}
