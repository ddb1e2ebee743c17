// A search thread as its team sees it: passes requests on to estimator-worker.ts and takes its fields.

import { afterMicrotasks } from '../../threads/after-microtasks.js';
import { revivedError } from '../../threads/plain-error.js';
import { TaskThread, type ThreadDeath } from '../../threads/task-thread.js';
import type { ThreadSource } from '../../threads/thread-messages.js';
import type { EstimateRequest, MotionField } from '../estimator.js';
import { CLOSE_LIMIT_S, GPU_CLOSE_LIMIT_S } from '../time-limits.js';
import { SEARCH_ENTRY } from './search-entry.js';
import type { OpenedEstimator, SearchReport, SearchSetup, SearchTasks } from './search-tasks.js';
import { sendableRequests } from './sendable.js';

/** A request that waits to be sent, and whom to tell its answer. */
interface WaitingRequest {
  readonly request: EstimateRequest;
  readonly resolve: (field: MotionField) => void;
  readonly reject: (error: unknown) => void;
}

/** What a thread is started with. */
export interface SearchThreadStart {
  readonly setup: SearchSetup;
  readonly onWarning: ((message: string) => void) | undefined;
  /** Where the thread comes from; by default it is started. */
  readonly threadSource?: ThreadSource | undefined;
  readonly workerUrl?: string | undefined;
  /** Gives the start up when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** File that the thread runs; estimator-worker.js by default. */
  readonly entry?: string | undefined;
}

/** One thread with an estimator in it. */
export class SearchThread {
  /** Time with at least one search under way, in milliseconds, by the last reply. */
  busyMs = 0;
  /** The estimator's device, by the last reply; empty until the estimator is made. */
  device = '';
  /** Requests without an answer so far. */
  openRequests = 0;
  /**
   * Whether the first of the requests that are made together is answered for itself: others may wait for its field.
   */
  answersFirstAlone = false;
  #waiting: WaitingRequest[] = [];

  private constructor(readonly thread: TaskThread<SearchTasks, SearchReport>) {}

  /** Starts a thread; its estimator is made by `open`. Rejects with ThreadDeath where it cannot start. */
  static async start({
    setup,
    onWarning,
    threadSource: keptThreads,
    workerUrl,
    signal,
    entry = SEARCH_ENTRY,
  }: SearchThreadStart): Promise<SearchThread> {
    const onReport = ({ device = '', busyMs, warnings }: SearchReport) => {
      started.device = device;
      started.busyMs = Math.max(started.busyMs, busyMs);
      for (const warning of warnings) onWarning?.(warning);
    };
    const thread = await TaskThread.start<SearchTasks, SearchReport>({
      entry,
      data: setup,
      workerUrl,
      keptThreads,
      onReport,
      signal,
    });
    const started = new SearchThread(thread);
    return started;
  }

  /** Makes the estimator. Rejects with the error of its factory, or with ThreadDeath. */
  open(): Promise<OpenedEstimator> {
    return this.thread.ask('open', undefined);
  }

  /**
   * The field of a pair. Rejects with the estimator's own error, or with ThreadDeath. Requests that are made together,
   * before the event loop turns, are one message: messages are what a thread that asks much has no time for.
   */
  estimate(request: EstimateRequest): Promise<MotionField> {
    this.openRequests++;
    if (this.#waiting.length === 0) afterMicrotasks(() => this.#send());
    const field = new Promise<MotionField>((resolve, reject) => this.#waiting.push({ request, resolve, reject }));
    return field.finally(() => this.openRequests--);
  }

  /** Ends the thread after its estimator has finished the open tasks and is closed, or after a time limit. */
  finish(isGpu: boolean): Promise<void> {
    return this.thread.finish(this.thread.ask('close', undefined), isGpu ? GPU_CLOSE_LIMIT_S : CLOSE_LIMIT_S);
  }

  /** Ends the thread at once; open tasks are rejected with ThreadDeath. An idle estimator is closed first. */
  async abandon(): Promise<void> {
    if (this.openRequests === 0 && this.thread.openTasks === 0) await this.finish(false);
    else await this.thread.end();
  }

  /** Ends the thread at once; open tasks are rejected with `death`. */
  kill(death: ThreadDeath): void {
    this.thread.kill(death);
  }

  #send(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const alone = this.answersFirstAlone ? waiting.splice(0, 1) : [];
    for (const together of [alone, waiting]) if (together.length > 0) void this.#ask(together);
  }

  async #ask(together: readonly WaitingRequest[]): Promise<void> {
    const copies: ArrayBuffer[] = [];
    try {
      const requests = sendableRequests(
        together.map(({ request }) => request),
        copies,
      );
      const answers = await this.thread.ask('estimate', requests, copies);
      for (const [index, { resolve, reject }] of together.entries()) {
        const answer = answers[index]!;
        if ('field' in answer) resolve(answer.field);
        else reject(revivedError(answer.error));
      }
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }
}
