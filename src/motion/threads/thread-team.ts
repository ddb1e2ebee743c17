// Several search threads with one estimator each; a request goes to the thread that has the fewest open.
import type { EstimateRequest, EstimatorTraits, MotionField } from '../estimator.js';
import { SearchThread, ThreadDeath } from './search-thread.js';
import type { WorkerSetup } from './worker-messages.js';

/** What a team is started with. */
export interface TeamStart {
  readonly setup: WorkerSetup;
  readonly count: number;
  readonly onWarning: ((message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** File that the threads run; estimator-worker.js by default. */
  readonly entry?: string | undefined;
}

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

  /**
   * Starts `count` threads, or one for a GPU estimator. Rejects with the error of the estimator's factory, with
   * ThreadDeath, or with the reason of `signal`, whose abort ends a thread that still makes its estimator.
   */
  static async start({ setup, count, onWarning, signal, entry }: TeamStart): Promise<ThreadTeam> {
    const first = await SearchThread.start(setup, onWarning, entry);
    const giveUp = () => first.kill(new ThreadDeath('nobody waits for it any more'));
    signal?.addEventListener('abort', giveUp);
    const threads = [first];
    try {
      signal?.throwIfAborted();
      const { traits, device } = await first.ask({ kind: 'open' }, 'opened');
      // A GPU has one queue: a second thread would only upload every picture twice.
      const others = traits.runsOn === 'gpu' ? 0 : count - 1;
      const started = Array.from({ length: others }, () => SearchThread.start(setup, onWarning, entry));
      for (const result of await Promise.allSettled(started)) {
        if (result.status === 'fulfilled') threads.push(result.value);
        else onWarning?.(`a search thread could not start (${result.reason.message}); the others do its work`);
      }
      return new ThreadTeam(threads, traits, threads.length === 1 ? device : `${device}, ${threads.length} threads`);
    } catch (error) {
      await first.finish(false);
      throw error;
    } finally {
      signal?.removeEventListener('abort', giveUp);
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
    this.#closed ??= Promise.all(this.#threads.map(thread => (isGpu ? thread.finish(true) : thread.abandon()))).then(
      () => {},
    );
    return this.#closed;
  }
}
