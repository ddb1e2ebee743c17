// Runs an estimator in worker threads, behind the estimator contract.

import { standInFor } from '../built-in-estimators.js';
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
import { ThreadDeath } from './search-thread.js';
import { ThreadTeam } from './thread-team.js';
import type { WorkerSetup } from './worker-messages.js';

/** Options of an estimator in threads. */
export interface ThreadedEstimatorOptions {
  /** Threads, 1..64, 1 by default. Each has an estimator of its own; a GPU estimator takes one thread. */
  readonly threads?: number;
  /** Whether a GPU estimator may run on a software adapter; true by default. */
  readonly allowSoftware?: boolean;
  /** Kernel set of the CPU estimators, see select-kernels.ts. */
  readonly kernels?: string | undefined;
  /** Called once for each fault that the search survives. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** As many threads as an encoder takes. */
const MAX_THREADS = 64;

/**
 * Makes the estimator `choice`, a built-in name or a module path, in threads. Pels on a SharedArrayBuffer are read in
 * place, others are copied. Rejects as the estimator's own factory does. When a thread dies, the estimator's CPU twin,
 * or the same estimator made anew, answers the open requests and those to come.
 */
export async function createThreadedEstimator(
  choice: string,
  parameters: EstimatorParameters,
  options: ThreadedEstimatorOptions = {},
): Promise<MotionEstimator> {
  const { threads = 1, allowSoftware = true, kernels, onWarning } = options;
  requireWhole('threads', threads, 1, MAX_THREADS);
  const startTeam = (estimator: string) =>
    ThreadTeam.start({ estimator, parameters, allowSoftware, kernels } satisfies WorkerSetup, threads, onWarning);
  return new ThreadedEstimator(choice, await startTeam(choice), startTeam, onWarning);
}

/** Passes requests on to a team of threads, and to a second one when a thread of the first has died. */
class ThreadedEstimator implements MotionEstimator {
  readonly traits: EstimatorTraits;
  readonly device: string;
  /** The second team once it is asked for, and once it is there. */
  #standIn: Promise<ThreadTeam> | undefined;
  #standInTeam: ThreadTeam | undefined;
  #closed: Promise<void> | undefined;
  #pictures = 0;

  constructor(
    readonly choice: string,
    readonly team: ThreadTeam,
    readonly startTeam: (estimator: string) => Promise<ThreadTeam>,
    readonly onWarning: ((message: string) => void) | undefined,
  ) {
    this.traits = team.traits;
    this.device = team.device;
  }

  async estimate(request: EstimateRequest): Promise<MotionField> {
    if (this.#closed) throw closedError(this.traits.name);
    const field = await this.#answer(request);
    this.#pictures++;
    return field;
  }

  statistics(): EstimatorStatistics {
    return { busyMs: this.team.busyMs + (this.#standInTeam?.busyMs ?? 0), pictures: this.#pictures };
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      const standIn = await this.#standIn?.catch(() => undefined);
      await Promise.all([this.team.close(), standIn?.close()]);
    })();
    return this.#closed;
  }

  async #answer(request: EstimateRequest): Promise<MotionField> {
    try {
      if (!this.#standIn) return await this.team.estimate(request);
    } catch (error) {
      if (!(error instanceof ThreadDeath)) throw error;
      if (this.#closed) throw closedError(this.traits.name);
      this.#standIn ??= this.#startStandIn(error);
    }
    const standIn = await this.#standIn!;
    if (this.#closed) throw closedError(this.traits.name);
    return standIn.estimate(request);
  }

  async #startStandIn(death: ThreadDeath): Promise<ThreadTeam> {
    const standIn = standInFor(this.choice);
    this.onWarning?.(`a thread of ${this.choice} died (${death.message}); ${standIn} goes on in a new one`);
    void this.team.close();
    this.#standInTeam = await this.startTeam(standIn);
    return this.#standInTeam;
  }
}
