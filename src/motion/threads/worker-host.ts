// Runs an estimator in worker threads, behind the estimator contract.

import type { KernelChoice } from '../../kernels/kernels.js';
import { ThreadDeath } from '../../threads/task-thread.js';
import type { ThreadSource } from '../../threads/thread-messages.js';
import { isBuiltInName, standInFor } from '../built-in-estimators.js';
import type {
  EstimateRequest,
  EstimatorParameters,
  EstimatorStatistics,
  EstimatorTraits,
  MotionEstimator,
  MotionField,
} from '../estimator.js';
import { requireWhole } from '../parameter-limits.js';
import { closedError } from '../request-checks.js';
import { createInThisThread } from '../this-thread.js';
import { ThreadTeam } from './thread-team.js';

/** Options of an estimator in threads. */
export interface ThreadedEstimatorOptions {
  /** Threads, 1..64, 1 by default. Each has an estimator of its own; a GPU estimator takes one thread. */
  readonly threads?: number;
  /** Whether a GPU estimator may run on a software adapter; true by default. */
  readonly allowSoftware?: boolean;
  /** Kernel set of the CPU estimators, see select-kernels.ts. */
  readonly kernels?: KernelChoice | undefined;
  /** See `askDriversEarly`. */
  readonly drivers?: SharedArrayBuffer | undefined;
  /** Where the threads come from; by default they are started. */
  readonly threadSource?: ThreadSource | undefined;
  /** Called once for each fault that the search survives. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Gives up making the estimator: a thread that is being started is ended. */
  readonly signal?: AbortSignal | undefined;
  /** The script of a browser's workers, where it is not beside the bundle. */
  readonly workerUrl?: string | undefined;
  /** File that the threads run; estimator-worker.js by default. */
  readonly entry?: string | undefined;
}

/** As many threads as an encoder takes. */
const MAX_THREADS = 64;

/**
 * Makes the estimator `choice`, a built-in name or a module path, in threads. Pels on a SharedArrayBuffer are read in
 * place, others are copied. Rejects as the estimator's own factory does.
 *
 * Where no thread can start, the estimator searches in the calling thread. When a thread dies, the estimator's CPU
 * twin, or the same estimator made anew, answers the open requests and those to come in new threads. When those die,
 * too, a built-in estimator goes on in the calling thread; the calls to a module, which might end the process, are
 * rejected.
 */
export async function createThreadedEstimator(
  choice: string,
  parameters: EstimatorParameters,
  options: ThreadedEstimatorOptions = {},
): Promise<MotionEstimator> {
  const { threads = 1, allowSoftware = true, kernels, drivers, threadSource, onWarning, signal } = options;
  const { workerUrl, entry } = options;
  requireWhole('threads', threads, 1, MAX_THREADS);
  const inThreads = (estimator: string, giveUp?: AbortSignal) => {
    const setup = { estimator, parameters, allowSoftware, kernels, drivers, keepsDevice: threadSource?.keepsThreads };
    return ThreadTeam.start({ setup, count: threads, threadSource, onWarning, signal: giveUp, workerUrl, entry });
  };
  const here = (estimator: string) => createInThisThread(estimator, parameters, { allowSoftware, kernels, onWarning });
  try {
    const team = await inThreads(choice, signal);
    return new ThreadedEstimator(choice, team, { inThreads, here }, onWarning);
  } catch (error) {
    if (!(error instanceof ThreadDeath)) throw error;
    signal?.throwIfAborted();
    if (!error.isAtStart && !isBuiltInName(choice)) throw endedError(choice, error);
    const [what, next] = error.isAtStart ? ['no search thread starts', choice] : ['a thread died', standInFor(choice)];
    onWarning?.(`${choice}: ${what} (${error.message}); ${next} searches without threads`);
    return here(next);
  }
}

/** What answers requests: a team of threads, or an estimator in this thread. */
interface Searcher {
  readonly device: string;
  /** Time with at least one search under way, in milliseconds. */
  readonly busyMs: number;
  estimate(request: EstimateRequest): Promise<MotionField>;
  close(): Promise<void>;
}

/** How a searcher is made of an estimator's name. */
interface SearcherFactories {
  readonly inThreads: (estimator: string) => Promise<ThreadTeam>;
  readonly here: (estimator: string) => Promise<MotionEstimator>;
}

/** Passes requests on to a team of threads, and when one of them has died, to what takes its place. */
class ThreadedEstimator implements MotionEstimator {
  readonly traits: EstimatorTraits;
  /** All that have answered, the present one at the end. */
  readonly #searchers: Searcher[];
  #searcher: Promise<Searcher>;
  #deaths = 0;
  #closed: Promise<void> | undefined;
  #pictures = 0;

  constructor(
    readonly choice: string,
    team: ThreadTeam,
    readonly factories: SearcherFactories,
    readonly onWarning: ((message: string) => void) | undefined,
  ) {
    this.traits = team.traits;
    this.#searchers = [team];
    this.#searcher = Promise.resolve(team);
  }

  get device(): string {
    return [...new Set(this.#searchers.map(({ device }) => device))].join(', then ');
  }

  async estimate(request: EstimateRequest): Promise<MotionField> {
    for (;;) {
      const asked = this.#searcher;
      const searcher = await asked;
      if (this.#closed) throw closedError(this.traits.name);
      try {
        const field = await searcher.estimate(request);
        this.#pictures++;
        return field;
      } catch (error) {
        if (!(error instanceof ThreadDeath)) throw error;
        if (this.#closed) throw closedError(this.traits.name);
        if (this.#searcher === asked) this.#searcher = this.#replace(searcher, error);
      }
    }
  }

  statistics(): EstimatorStatistics {
    return { busyMs: this.#searchers.reduce((sum, { busyMs }) => sum + busyMs, 0), pictures: this.#pictures };
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#searcher.catch(() => undefined);
      await Promise.all(this.#searchers.map(searcher => searcher.close()));
    })();
    return this.#closed;
  }

  /** The searcher that goes on in place of `dead`. */
  async #replace(dead: Searcher, death: ThreadDeath): Promise<Searcher> {
    void dead.close();
    const standIn = standInFor(this.choice);
    const died = `a thread of ${this.choice} died (${death.message})`;
    let next: Searcher | undefined;
    if (this.#deaths++ === 0) {
      this.onWarning?.(`${died}; ${standIn} goes on in a new one`);
      next = await this.factories.inThreads(standIn).catch(error => {
        if (error instanceof ThreadDeath) return undefined;
        throw error;
      });
    }
    if (!next) {
      if (!isBuiltInName(this.choice)) throw endedError(this.choice, death);
      this.onWarning?.(`${died}; ${standIn} goes on without threads`);
      next = withBusyMs(await this.factories.here(standIn));
    }
    this.#searchers.push(next);
    return next;
  }
}

function withBusyMs(estimator: MotionEstimator): Searcher {
  return {
    device: estimator.device,
    get busyMs() {
      return estimator.statistics?.().busyMs ?? 0;
    },
    estimate: request => estimator.estimate(request),
    close: () => estimator.close(),
  };
}

function endedError(choice: string, { message }: ThreadDeath): Error {
  return new Error(`the estimator ${choice} failed: its search thread ended (${message})`);
}
