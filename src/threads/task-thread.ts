// The asker's side: starts a thread, sends it tasks, takes its replies, and ends it.
import { fileURLToPath } from 'node:url';
import { SHARE_ENV } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { messageOf } from '../errors.js';
import { revivedError } from './plain-error.js';
import {
  type Answer,
  type Given,
  START,
  type TaskMessage,
  type TaskReply,
  type ThreadTasks,
} from './thread-messages.js';
import { withTimeLimit } from './time-limit.js';

/** Tasks that the pool hands to a thread at a time: more than are ever open, so that the thread sees all. */
const MAX_TASKS = 256;
/** Time for a thread to start, in seconds. */
const THREAD_START_LIMIT_S = 30;

/** A thread could not start, or it has ended before its tasks. */
export class ThreadDeath extends Error {
  /** `isAtStart`: the thread never ran. */
  constructor(
    message: string,
    readonly isAtStart = false,
  ) {
    super(message);
  }
}

/** What a thread is started with. */
export interface ThreadStart<Report> {
  /** The file that the thread runs; its default export is made by `answerTasks`. */
  readonly entry: string;
  /** What the entry finds as `workerData`. */
  readonly data: unknown;
  /** Called with the report of each reply. */
  readonly onReport: (report: Report) => void;
}

/** A thread that answers several tasks at a time. `Tasks` are the methods that its entry gives `answerTasks`. */
export class TaskThread<Tasks extends ThreadTasks<Tasks>, Report> {
  /** Tasks without a reply so far. */
  openTasks = 0;
  readonly #pool: Piscina<TaskMessage, TaskReply<Report>>;
  readonly #onReport: (report: Report) => void;
  #death: ThreadDeath | undefined;
  #isEnding = false;
  #ended: Promise<void> | undefined;

  private constructor({ entry, data, onReport }: ThreadStart<Report>) {
    this.#onReport = onReport;
    this.#pool = new Piscina({
      filename: entry,
      workerData: data,
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: MAX_TASKS,
      recordTiming: false,
      // A thread that sleeps in Atomics.wait hears nothing from its GPU, nor from threads of its own.
      atomics: 'disabled',
      // A GPU's thread sets variables that native code reads, which sees those of the process only.
      env: SHARE_ENV,
    });
    this.#pool.on('error', error => this.#die(error));
    // The pool would replace the thread, or keep its tasks for one that cannot start. Open tasks know a better reason.
    this.#pool.on('workerDestroy', () => {
      if (!this.#isEnding) void this.#pool.destroy();
      setImmediate(() => this.#die(new Error('it ended between two tasks')));
    });
  }

  /** Starts a thread. Rejects with ThreadDeath where it cannot start. */
  static async start<Tasks extends ThreadTasks<Tasks>, Report>(
    start: ThreadStart<Report>,
  ): Promise<TaskThread<Tasks, Report>> {
    let thread: TaskThread<Tasks, Report> | undefined;
    try {
      thread = new TaskThread<Tasks, Report>(start);
      const late = () => new Error(`it did not start within ${THREAD_START_LIMIT_S} s`);
      await withTimeLimit(thread.#run({ kind: START, given: undefined }, []), THREAD_START_LIMIT_S, late);
      return thread;
    } catch (error) {
      const death = new ThreadDeath(messageOf(error), true);
      thread?.kill(death);
      throw death;
    }
  }

  /**
   * The answer to a task; the buffers `handedOver` go to the thread. Rejects with the thread's own error, or with
   * ThreadDeath.
   */
  async ask<Kind extends keyof Tasks & string>(
    kind: Kind,
    given: Given<Tasks, Kind>,
    handedOver: ArrayBuffer[] = [],
  ): Promise<Answer<Tasks, Kind>> {
    const reply = await this.#run({ kind, given }, handedOver);
    if (reply.kind === 'started') throw new ThreadDeath(`the thread replied '${reply.kind}' to '${kind}'`);
    this.#onReport(reply.report);
    if (reply.kind === 'failed') throw revivedError(reply.error);
    return reply.answer as Answer<Tasks, Kind>;
  }

  /** Ends the thread once `lastTask` is over, or after `limitS` seconds; whether that fails is not told. */
  async finish(lastTask: Promise<unknown>, limitS: number): Promise<void> {
    const late = () => new Error('it did not close');
    await withTimeLimit(lastTask, limitS, late).catch(() => {});
    await this.end();
  }

  /** Ends the thread at once; open tasks are rejected with `death`. */
  kill(death: ThreadDeath): void {
    this.#die(death);
  }

  /**
   * Ends the thread at once; open tasks are rejected with ThreadDeath. The pool is ended once: after a second
   * `destroy`, done before the first, it replaces the thread that exits.
   */
  async end(): Promise<void> {
    if (!this.#isEnding) {
      this.#isEnding = true;
      this.#ended = this.#pool.destroy();
    }
    await this.#ended;
  }

  async #run(message: TaskMessage, handedOver: ArrayBuffer[]): Promise<TaskReply<Report>> {
    if (this.#death) throw this.#death;
    this.openTasks++;
    try {
      return await this.#pool.run(message, { transferList: handedOver });
    } catch (error) {
      this.#die(error);
      throw this.#death;
    } finally {
      this.openTasks--;
    }
  }

  /** No thread runs any more: open tasks are rejected, and those to come. Only the first reason counts. */
  #die(reason: unknown): void {
    if (this.#death) return;
    this.#death = reason instanceof ThreadDeath ? reason : new ThreadDeath(messageOf(reason));
    void this.end();
  }
}

/**
 * The built file `name` beside the module whose import.meta.url is `here`: an entry. Node loads no TypeScript, so a
 * test that runs the sources takes it from dist/.
 */
export function builtEntry(here: string, name: string): string {
  const built = here.endsWith('.ts') ? here.replace(/\/src\/(?!.*\/src\/)/, '/dist/') : here;
  return fileURLToPath(new URL(name, built));
}
