// A search thread as the main thread sees it: sends tasks to estimator-worker.ts and takes its replies.
import { fileURLToPath } from 'node:url';
import { SHARE_ENV } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { EstimateRequest, LumaPicture, MotionField, StartField } from '../estimator.js';
import { CLOSE_LIMIT_S, withTimeLimit } from '../time-limits.js';
import { revivedError, type WorkerReply, type WorkerSetup, type WorkerTask } from './worker-messages.js';

/** Tasks that the pool hands to a thread at a time: more than are ever open, so that the estimator sees all. */
const MAX_TASKS = 256;
/** Time for a thread to start, in seconds. */
const THREAD_START_LIMIT_S = 30;
/** Time for a GPU to finish its open searches, in seconds: to end the thread before may crash the driver. */
const GPU_CLOSE_LIMIT_S = 60;

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

/** One thread with an estimator in it. */
export class SearchThread {
  /** Tasks without a reply so far. */
  openTasks = 0;
  /** Time with at least one search under way, in milliseconds, by the last reply. */
  busyMs = 0;
  readonly #pool: Piscina<WorkerTask, WorkerReply>;
  #death: ThreadDeath | undefined;
  #isEnding = false;
  #ended: Promise<void> | undefined;

  private constructor(
    entry: string,
    setup: WorkerSetup,
    readonly onWarning: ((message: string) => void) | undefined,
  ) {
    this.#pool = new Piscina({
      filename: entry,
      workerData: setup,
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: MAX_TASKS,
      // A thread that sleeps in Atomics.wait hears nothing from its GPU.
      atomics: 'disabled',
      // A GPU's thread sets variables that native code reads, which sees those of the process only.
      env: SHARE_ENV,
    });
    this.#pool.on('error', error => this.#die(error));
    // The pool would replace the thread, or keep its tasks for one that cannot start. Open tasks know a better reason.
    this.#pool.on('workerDestroy', () => {
      if (!this.#isEnding) void this.#pool.destroy();
      setImmediate(() => this.#die(new Error('it ended between two searches')));
    });
  }

  /** Starts a thread; its estimator is made by the task `open`. Rejects with ThreadDeath where it cannot start. */
  static async start(
    setup: WorkerSetup,
    onWarning: ((message: string) => void) | undefined,
    entry: string = workerEntry(),
  ): Promise<SearchThread> {
    let thread: SearchThread | undefined;
    try {
      thread = new SearchThread(entry, setup, onWarning);
      const late = () => new Error(`it did not start within ${THREAD_START_LIMIT_S} s`);
      await withTimeLimit(thread.ask({ kind: 'start' }, 'started'), THREAD_START_LIMIT_S, late);
      return thread;
    } catch (error) {
      const death = new ThreadDeath(messageOf(error), true);
      thread?.kill(death);
      throw death;
    }
  }

  /** The field of a pair. Rejects with the estimator's own error, or with ThreadDeath. */
  async estimate({ current, reference, start }: EstimateRequest): Promise<MotionField> {
    const copies: ArrayBuffer[] = [];
    const request = {
      current: sendable(current, copies),
      reference: sendable(reference, copies),
      ...(start ? { start: copyOfStart(start, copies) } : {}),
    };
    return (await this.ask({ kind: 'estimate', request }, 'field', copies)).field;
  }

  /** The reply to a task, which is of `kind`; the buffers `given` go to the thread. Rejects like `estimate`. */
  async ask<Kind extends WorkerReply['kind']>(
    task: WorkerTask,
    kind: Kind,
    given: ArrayBuffer[] = [],
  ): Promise<Extract<WorkerReply, { kind: Kind }>> {
    if (this.#death) throw this.#death;
    this.openTasks++;
    let reply: WorkerReply;
    try {
      reply = await this.#pool.run(task, { transferList: given });
    } catch (error) {
      this.#die(error);
      throw this.#death;
    } finally {
      this.openTasks--;
    }
    this.busyMs = Math.max(this.busyMs, reply.busyMs);
    for (const warning of reply.warnings) this.onWarning?.(warning);
    if (reply.kind === 'failed') throw revivedError(reply.error);
    if (reply.kind !== kind) throw new ThreadDeath(`the thread replied '${reply.kind}', not '${kind}'`);
    return reply as Extract<WorkerReply, { kind: Kind }>;
  }

  /** Ends the thread after its estimator has finished the open tasks and is closed, or after a time limit. */
  async finish(isGpu: boolean): Promise<void> {
    const seconds = isGpu ? GPU_CLOSE_LIMIT_S : CLOSE_LIMIT_S;
    const late = () => new Error('it did not close');
    await withTimeLimit(this.ask({ kind: 'close' }, 'closed'), seconds, late).catch(() => {});
    await this.#end();
  }

  /** Ends the thread at once; open tasks are rejected with ThreadDeath. An idle estimator is closed first. */
  async abandon(): Promise<void> {
    if (this.openTasks === 0) await this.finish(false);
    else await this.#end();
  }

  /** Ends the thread at once; open tasks are rejected with `death`. */
  kill(death: ThreadDeath): void {
    this.#die(death);
  }

  /** No thread runs any more: open tasks are rejected, and those to come. Only the first reason counts. */
  #die(reason: unknown): void {
    if (this.#death) return;
    this.#death = reason instanceof ThreadDeath ? reason : new ThreadDeath(messageOf(reason));
    void this.#end();
  }

  /** Ends the pool, once: after a second `destroy`, done before the first, it replaces the thread that exits. */
  async #end(): Promise<void> {
    if (!this.#isEnding) {
      this.#isEnding = true;
      this.#ended = this.#pool.destroy();
    }
    await this.#ended;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The built entry of a thread. Node does not load TypeScript, so a test that runs the sources takes it from dist/. */
function workerEntry(): string {
  const here = import.meta.url;
  const entry = here.endsWith('.ts') ? '../../../dist/motion/threads/estimator-worker.js' : './estimator-worker.js';
  return fileURLToPath(new URL(entry, here));
}

/** A picture that can be sent to a thread. Shared pels stay in place; others are copied; `copies` gets the buffer. */
function sendable({ id, width, height, pels }: LumaPicture, copies: ArrayBuffer[]): LumaPicture {
  if (pels.buffer instanceof SharedArrayBuffer) return { id, width, height, pels };
  const copy = pels.slice();
  copies.push(copy.buffer);
  return { id, width, height, pels: copy };
}

/** A copy of a start field, which the caller keeps; `copies` gets its buffers. */
function copyOfStart(start: StartField, copies: ArrayBuffer[]): StartField {
  const [dx, dy] = [start.dx.slice(), start.dy.slice()];
  copies.push(dx.buffer, dy.buffer);
  return { dx, dy };
}
