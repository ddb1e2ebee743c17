// A search thread as the main thread sees it: sends tasks to estimator-worker.ts and takes its replies.
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { EstimateRequest, LumaPicture, MotionField } from '../estimator.js';
import { revivedError, type WorkerReply, type WorkerSetup, type WorkerTask } from './worker-messages.js';

/** Tasks that the pool hands to a thread at a time: more than are ever open, so that the estimator sees all. */
const MAX_TASKS = 256;

/** The thread has ended, and a task was still open. */
export class ThreadDeath extends Error {}

/** One thread with an estimator in it. */
export class SearchThread {
  /** Tasks without a reply so far. */
  openTasks = 0;
  /** Time with at least one search under way, in milliseconds, by the last reply. */
  busyMs = 0;
  readonly #pool: Piscina<WorkerTask, WorkerReply>;

  /** Starts the thread; the first task makes the estimator. */
  constructor(
    setup: WorkerSetup,
    readonly onWarning: ((message: string) => void) | undefined,
  ) {
    this.#pool = new Piscina({
      filename: workerEntry(),
      workerData: setup,
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: MAX_TASKS,
      // A thread that sleeps in Atomics.wait hears nothing from its GPU.
      atomics: 'disabled',
    });
    // The pool replaces a thread that dies between two tasks; the next task then makes the estimator anew.
    this.#pool.on('error', () => {});
  }

  /** The field of a pair. Rejects with the estimator's own error, or with ThreadDeath. */
  async estimate({ current, reference }: EstimateRequest): Promise<MotionField> {
    const copies: ArrayBuffer[] = [];
    const request = { current: sendable(current, copies), reference: sendable(reference, copies) };
    return (await this.ask({ kind: 'estimate', request }, 'field', copies)).field;
  }

  /** The reply to a task, which is of `kind`; the buffers `given` go to the thread. Rejects like `estimate`. */
  async ask<Kind extends WorkerReply['kind']>(
    task: WorkerTask,
    kind: Kind,
    given: ArrayBuffer[] = [],
  ): Promise<Extract<WorkerReply, { kind: Kind }>> {
    this.openTasks++;
    let reply: WorkerReply;
    try {
      reply = await this.#pool.run(task, { transferList: given });
    } catch (error) {
      throw new ThreadDeath(error instanceof Error ? error.message : String(error));
    } finally {
      this.openTasks--;
    }
    this.busyMs = Math.max(this.busyMs, reply.busyMs);
    for (const warning of reply.warnings) this.onWarning?.(warning);
    if (reply.kind === 'failed') throw revivedError(reply.error);
    if (reply.kind !== kind) throw new ThreadDeath(`the thread replied '${reply.kind}', not '${kind}'`);
    return reply as Extract<WorkerReply, { kind: Kind }>;
  }

  /** Ends the thread after its estimator has finished the open tasks and is closed. */
  async finish(): Promise<void> {
    await this.ask({ kind: 'close' }, 'closed').catch(() => {});
    await this.#pool.destroy();
  }

  /** Ends the thread at once; open tasks are rejected with ThreadDeath. An idle estimator is closed first. */
  async abandon(): Promise<void> {
    if (this.openTasks === 0) await this.finish();
    else await this.#pool.destroy();
  }
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
