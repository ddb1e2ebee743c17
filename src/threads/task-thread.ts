// The asker's side: starts a thread, sends it tasks, takes its replies, and ends it.
import { messageOf } from '../errors.js';
import { startThread } from './node/start-thread.js';
import { revivedError } from './plain-error.js';
import {
  type Answer,
  type Given,
  type HostedThread,
  START,
  type TaskMessage,
  type TaskReply,
  type ThreadEntry,
  type ThreadSource,
  type ThreadTasks,
} from './thread-messages.js';
import { withTimeLimit } from './time-limit.js';

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
export interface ThreadStart<Report> extends ThreadEntry {
  /** Called with the report of each reply. */
  readonly onReport: (report: Report) => void;
  /** Called with the reason why a thread that ran has ended by itself. */
  readonly onDeath?: (reason: string) => void;
  /** Gives the start up when it is aborted: the thread is ended at once. */
  readonly signal?: AbortSignal | undefined;
  /** Keeps the thread for other work when it ends without a task; by default it is started for this alone. */
  readonly keptThreads?: ThreadSource | undefined;
}

/**
 * A thread that answers several tasks at a time. `Tasks` are the methods of its `ThreadWork`, which `answerTask` calls.
 */
export class TaskThread<Tasks extends ThreadTasks<Tasks>, Report> {
  /** Tasks without a reply so far. */
  openTasks = 0;
  readonly #thread: HostedThread;
  readonly #onReport: (report: Report) => void;
  #death: ThreadDeath | undefined;
  #ended: Promise<void> | undefined;

  private constructor(thread: HostedThread, { onReport }: ThreadStart<Report>) {
    this.#thread = thread;
    this.#onReport = onReport;
  }

  /** Starts a thread. Rejects with ThreadDeath where it cannot start, and once it has ended where it is given up. */
  static async start<Tasks extends ThreadTasks<Tasks>, Report>(
    start: ThreadStart<Report>,
  ): Promise<TaskThread<Tasks, Report>> {
    const { signal } = start;
    let thread: TaskThread<Tasks, Report> | undefined;
    const giveUp = () => thread?.kill(new ThreadDeath('its start was given up', true));
    try {
      const onDeath = (reason: unknown) => {
        if (!thread) return;
        thread.kill(reason);
        start.onDeath?.(messageOf(reason));
      };
      const hosted = await (start.keptThreads?.start(start, onDeath) ?? startThread(start, onDeath));
      thread = new TaskThread<Tasks, Report>(hosted, start);
      signal?.addEventListener('abort', giveUp);
      if (signal?.aborted) giveUp();
      const late = () => new Error(`it did not start within ${THREAD_START_LIMIT_S} s`);
      await withTimeLimit(thread.#run({ kind: START, given: undefined }, []), THREAD_START_LIMIT_S, late);
      return thread;
    } catch (error) {
      const death = new ThreadDeath(messageOf(error), true);
      thread?.kill(death);
      if (signal?.aborted) await thread?.end();
      throw death;
    } finally {
      signal?.removeEventListener('abort', giveUp);
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

  /**
   * Ends the thread at once; open tasks, and those to come, are rejected with `reason` as a ThreadDeath. Only the first
   * reason counts.
   */
  kill(reason: unknown): void {
    if (this.#death) return;
    this.#death = reason instanceof ThreadDeath ? reason : new ThreadDeath(messageOf(reason));
    void this.end();
  }

  /** Ends the thread at once; open tasks are rejected with ThreadDeath. `mayBeKept`: see `HostedThread.end`. */
  end(mayBeKept = true): Promise<void> {
    this.#ended ??= this.#thread.end(mayBeKept);
    return this.#ended;
  }

  async #run(message: TaskMessage, handedOver: ArrayBuffer[]): Promise<TaskReply<Report>> {
    if (this.#death) throw this.#death;
    this.openTasks++;
    try {
      return (await this.#thread.run(message, handedOver)) as TaskReply<Report>;
    } catch (error) {
      this.kill(error);
      throw this.#death;
    } finally {
      this.openTasks--;
    }
  }
}
