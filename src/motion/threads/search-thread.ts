// A search thread as its team sees it: passes requests on to estimator-worker.ts and takes its fields.
import { fileURLToPath } from 'node:url';
import { TaskThread, type ThreadDeath } from '../../threads/task-thread.js';
import type { EstimateRequest, MotionField } from '../estimator.js';
import { CLOSE_LIMIT_S, GPU_CLOSE_LIMIT_S } from '../time-limits.js';
import type { OpenedEstimator, SearchReport, SearchSetup, SearchTasks } from './search-tasks.js';
import { copyOfStart, sendablePicture } from './sendable.js';

/** One thread with an estimator in it. */
export class SearchThread {
  /** Time with at least one search under way, in milliseconds, by the last reply. */
  busyMs = 0;

  private constructor(readonly thread: TaskThread<SearchTasks, SearchReport>) {}

  /** Starts a thread; its estimator is made by `open`. Rejects with ThreadDeath where it cannot start. */
  static async start(
    setup: SearchSetup,
    onWarning: ((message: string) => void) | undefined,
    entry: string = workerEntry(),
  ): Promise<SearchThread> {
    const onReport = ({ busyMs, warnings }: SearchReport) => {
      started.busyMs = Math.max(started.busyMs, busyMs);
      for (const warning of warnings) onWarning?.(warning);
    };
    const started = new SearchThread(await TaskThread.start({ entry, data: setup, onReport }));
    return started;
  }

  /** Tasks without a reply so far. */
  get openTasks(): number {
    return this.thread.openTasks;
  }

  /** Makes the estimator. Rejects with the error of its factory, or with ThreadDeath. */
  open(): Promise<OpenedEstimator> {
    return this.thread.ask('open', undefined);
  }

  /** The field of a pair. Rejects with the estimator's own error, or with ThreadDeath. */
  async estimate({ current, reference, start }: EstimateRequest): Promise<MotionField> {
    const copies: ArrayBuffer[] = [];
    const request = {
      current: sendablePicture(current, copies),
      reference: sendablePicture(reference, copies),
      ...(start ? { start: copyOfStart(start, copies) } : {}),
    };
    return this.thread.ask('estimate', request, copies);
  }

  /** Ends the thread after its estimator has finished the open tasks and is closed, or after a time limit. */
  finish(isGpu: boolean): Promise<void> {
    return this.thread.finish(this.thread.ask('close', undefined), isGpu ? GPU_CLOSE_LIMIT_S : CLOSE_LIMIT_S);
  }

  /** Ends the thread at once; open tasks are rejected with ThreadDeath. An idle estimator is closed first. */
  async abandon(): Promise<void> {
    if (this.openTasks === 0) await this.finish(false);
    else await this.thread.end();
  }

  /** Ends the thread at once; open tasks are rejected with `death`. */
  kill(death: ThreadDeath): void {
    this.thread.kill(death);
  }
}

/** The built entry of a thread. Node does not load TypeScript, so a test that runs the sources takes it from dist/. */
function workerEntry(): string {
  const here = import.meta.url;
  const entry = here.endsWith('.ts') ? '../../../dist/motion/threads/estimator-worker.js' : './estimator-worker.js';
  return fileURLToPath(new URL(entry, here));
}
