// Several search threads with one estimator each; a request goes to the thread that has the fewest open.
import type { EstimateRequest, EstimatorTraits, MotionField } from '../estimator.js';
import { SearchThread } from './search-thread.js';
import type { WorkerSetup } from './worker-messages.js';

/** Search threads that answer as one estimator. */
export class ThreadTeam {
  readonly #threads: readonly SearchThread[];
  #closed: Promise<void> | undefined;

  private constructor(
    threads: readonly SearchThread[],
    readonly traits: EstimatorTraits,
    readonly device: string,
  ) {
    this.#threads = threads;
  }

  /** Starts `count` threads, or one for a GPU estimator. Rejects with the error of the estimator's factory. */
  static async start(
    setup: WorkerSetup,
    count: number,
    onWarning: ((message: string) => void) | undefined,
  ): Promise<ThreadTeam> {
    const first = new SearchThread(setup, onWarning);
    try {
      const { traits, device } = await first.ask({ kind: 'open' }, 'opened');
      // A GPU has one queue: a second thread would only upload every picture twice.
      const others = traits.runsOn === 'gpu' ? 0 : count - 1;
      const threads = [first, ...Array.from({ length: others }, () => new SearchThread(setup, onWarning))];
      return new ThreadTeam(threads, traits, threads.length === 1 ? device : `${device}, ${threads.length} threads`);
    } catch (error) {
      await first.finish();
      throw error;
    }
  }

  /** Time with at least one search under way, in milliseconds, summed over the threads. */
  get busyMs(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.busyMs, 0);
  }

  /** Answers as `MotionEstimator.estimate` does; rejects with ThreadDeath when the thread dies. */
  estimate(request: EstimateRequest): Promise<MotionField> {
    const thread = this.#threads.reduce((best, other) => (other.openTasks < best.openTasks ? other : best));
    return thread.estimate(request);
  }

  /** Ends all threads. Open requests to a CPU are rejected; a GPU finishes them first, as its driver demands. */
  close(): Promise<void> {
    const isGpu = this.traits.runsOn === 'gpu';
    this.#closed ??= Promise.all(this.#threads.map(thread => (isGpu ? thread.finish() : thread.abandon()))).then(
      () => {},
    );
    return this.#closed;
  }
}
