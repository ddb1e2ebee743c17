// Several search threads with one estimator each; a request goes to the thread that has the fewest open.
import { forkedSignals } from '../../threads/forked-signals.js';
import { ThreadDeath } from '../../threads/task-thread.js';
import { needsGpu } from '../built-in-estimators.js';
import type { EstimateRequest, EstimatorTraits, MotionField } from '../estimator.js';
import { SearchThread, type SearchThreadStart } from './search-thread.js';

/** What a team is started with. */
export interface TeamStart extends SearchThreadStart {
  readonly count: number;
  readonly signal?: AbortSignal | undefined;
}

/** Search threads that answer as one estimator. */
export class ThreadTeam {
  readonly #threads: readonly SearchThread[];
  #closed: Promise<void> | undefined;

  private constructor(
    threads: readonly SearchThread[],
    readonly traits: EstimatorTraits,
  ) {
    this.#threads = threads;
    for (const thread of threads) thread.answersFirstAlone = traits.usesStart === true;
  }

  /**
   * Starts `count` threads, or one for a GPU estimator. Rejects with the error of the estimator's factory, with
   * ThreadDeath, or with the reason of `signal`, whose abort ends threads that start, and one that still makes its
   * estimator, unless that is one for a GPU: the driver has to answer first.
   */
  static async start({ count, signal, ...start }: TeamStart): Promise<ThreadTeam> {
    const { setup, onWarning } = start;
    const isGpu = needsGpu(setup.estimator);
    const signals = forkedSignals(isGpu ? undefined : signal, isGpu ? 1 : count);
    const starting = signals.map(each => SearchThread.start({ ...start, signal: each }));
    const results = await Promise.allSettled(starting);
    const threads = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []));
    const [first, ...others] = threads;
    const missing = results.find(result => result.status === 'rejected');
    if (!first) {
      signal?.throwIfAborted();
      throw missing?.reason;
    }
    if (missing && !signal?.aborted)
      onWarning?.(`a search thread could not start (${missing.reason.message}); the others do its work`);
    const giveUp = () => {
      if (!isGpu) first.kill(new ThreadDeath('nobody waits for it any more'));
    };
    signal?.addEventListener('abort', giveUp);
    try {
      signal?.throwIfAborted();
      const { traits } = await first.open();
      if (traits.runsOn !== 'gpu') return new ThreadTeam(threads, traits);
      // A GPU has one queue: a second thread would only upload every picture twice.
      await Promise.all(others.map(thread => thread.abandon()));
      return new ThreadTeam([first], traits);
    } catch (error) {
      await Promise.all(threads.map(thread => thread.finish(false)));
      throw error;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** What the first thread searches on, and how many threads there are. */
  get device(): string {
    const { length } = this.#threads;
    return `${this.#threads[0]!.device}${length > 1 ? `, ${length} threads` : ''}`;
  }

  /** Time with at least one search under way, in milliseconds, summed over the threads. */
  get busyMs(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.busyMs, 0);
  }

  /** Answers as `MotionEstimator.estimate` does; rejects with ThreadDeath when the thread dies. */
  estimate(request: EstimateRequest): Promise<MotionField> {
    const thread = this.#threads.reduce((best, other) => (other.openRequests < best.openRequests ? other : best));
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
