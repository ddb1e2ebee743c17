import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { InputError, OptionError } from '../../errors.js';
import type {
  EstimateRequest,
  EstimatorParameters,
  EstimatorStatistics,
  EstimatorTraits,
  LumaPicture,
  MotionEstimator,
  MotionField,
} from '../estimator.js';
import { revivedError, type WorkerReply, type WorkerSetup, type WorkerTask } from './worker-messages.js';

/** How an estimator is put into threads. */
export interface ThreadedEstimatorOptions {
  /** Threads, 1..64; each has an estimator of its own. A GPU estimator takes one. */
  readonly threads?: number;
  readonly allowSoftware?: boolean;
  readonly kernels?: string;
  /** Told, once each, of faults that the search survives. */
  readonly onWarning?: (message: string) => void;
}

const MAX_THREADS = 64;
/** Tasks that a thread may hold at a time; the estimators bound their own depth. */
const MAX_TASKS = 256;
/** Who goes on when a thread dies; the same estimator, in a new thread, where none is named. */
const TWINS: Readonly<Record<string, string>> = { 'gpu-full': 'cpu-full', 'gpu-mrmp': 'cpu-mrmp' };

/** The thread's entry as built: Node does not load TypeScript, so a test that runs the sources takes it from dist/. */
function workerEntry(): string {
  const here = import.meta.url;
  const built = here.endsWith('.ts') ? '../../../dist/motion/threads/estimator-worker.js' : './estimator-worker.js';
  return fileURLToPath(new URL(built, here));
}

/**
 * An estimator that works in threads: `choice` is a registered name or a module path. Pels on a SharedArrayBuffer are
 * read in place, others copied. Rejects as the estimator's own factory does. Should a thread die, its CPU twin (or the
 * same estimator afresh) answers what is owed.
 */
export async function createThreadedEstimator(
  choice: string,
  parameters: EstimatorParameters,
  options: ThreadedEstimatorOptions = {},
): Promise<MotionEstimator> {
  const { threads = 1, allowSoftware = true, kernels } = options;
  if (!Number.isInteger(threads) || threads < 1 || threads > MAX_THREADS) {
    throw new OptionError('threads', `threads are ${threads}; legal: whole numbers 1..${MAX_THREADS}`);
  }
  const setup: WorkerSetup = { estimator: choice, parameters, allowSoftware, kernels };
  const team = await ThreadTeam.open(setup, threads, options.onWarning);
  const startTwin = () => {
    const estimator = TWINS[choice] ?? choice;
    return ThreadTeam.open({ ...setup, estimator }, threads, options.onWarning);
  };
  return new ThreadedEstimator(choice, team, startTwin, options.onWarning);
}

/** The estimator in front: passes requests on, and starts the twin when a thread has died. */
class ThreadedEstimator implements MotionEstimator {
  readonly traits: EstimatorTraits;
  readonly device: string;
  #twin: Promise<ThreadTeam> | undefined;
  #closed: Promise<void> | undefined;
  #pictures = 0;

  constructor(
    readonly choice: string,
    readonly team: ThreadTeam,
    readonly startTwin: () => Promise<ThreadTeam>,
    readonly onWarning: ((message: string) => void) | undefined,
  ) {
    this.traits = team.traits;
    this.device = team.device;
  }

  async estimate(request: EstimateRequest): Promise<MotionField> {
    if (this.#closed) throw this.#closedError();
    const field = await this.#answer(request);
    this.#pictures++;
    return field;
  }

  statistics(): EstimatorStatistics {
    return { busyMs: this.team.busyMs + (this.#twinTeam?.busyMs ?? 0), pictures: this.#pictures };
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      const twin = await this.#twin?.catch(() => undefined);
      await Promise.all([this.team.close(), twin?.close()]);
    })();
    return this.#closed;
  }

  #twinTeam: ThreadTeam | undefined;

  async #answer(request: EstimateRequest): Promise<MotionField> {
    try {
      if (!this.#twin) return await this.team.estimate(request);
    } catch (error) {
      if (!(error instanceof ThreadDeath)) throw error;
      if (this.#closed) throw this.#closedError();
      this.#twin ??= this.#replace(error);
    }
    const twin = await this.#twin!;
    if (this.#closed) throw this.#closedError();
    return twin.estimate(request);
  }

  async #replace(death: ThreadDeath): Promise<ThreadTeam> {
    const successor = TWINS[this.choice] ?? this.choice;
    this.onWarning?.(`a thread of ${this.choice} died (${death.message}); ${successor} goes on in a new one`);
    void this.team.close();
    this.#twinTeam = await this.startTwin();
    return this.#twinTeam;
  }

  #closedError(): Error {
    return new InputError(`the estimator ${this.traits.name} is closed`);
  }
}

/** A thread ended with work still owed. */
class ThreadDeath extends Error {}

/** Threads with one estimator each; a request goes to the one with the least to do. */
class ThreadTeam {
  readonly #members: TeamMember[];
  #closed: Promise<void> | undefined;

  private constructor(
    members: TeamMember[],
    readonly traits: EstimatorTraits,
    readonly device: string,
  ) {
    this.#members = members;
  }

  static async open(
    setup: WorkerSetup,
    threads: number,
    onWarning: ((message: string) => void) | undefined,
  ): Promise<ThreadTeam> {
    const first = new TeamMember(setup, onWarning);
    try {
      const { traits, device } = await first.ask({ kind: 'open' }, 'opened');
      // A GPU is one queue: a second thread would only upload everything twice.
      const others = traits.runsOn === 'gpu' ? 0 : threads - 1;
      const members = [first, ...Array.from({ length: others }, () => new TeamMember(setup, onWarning))];
      return new ThreadTeam(members, traits, members.length === 1 ? device : `${device}, ${members.length} threads`);
    } catch (error) {
      await first.close(true);
      throw error;
    }
  }

  get busyMs(): number {
    return this.#members.reduce((sum, member) => sum + member.busyMs, 0);
  }

  async estimate({ current, reference }: EstimateRequest): Promise<MotionField> {
    const member = this.#members.reduce((best, other) => (other.owed < best.owed ? other : best));
    const request = { current: portable(current), reference: portable(reference) };
    return (await member.ask({ kind: 'estimate', request }, 'field')).field;
  }

  /** Ends all threads; what a CPU still owes is rejected, while a GPU is left to finish, as its driver demands. */
  close(): Promise<void> {
    this.#closed ??= Promise.all(this.#members.map(member => member.close(this.traits.runsOn === 'gpu'))).then(
      () => {},
    );
    return this.#closed;
  }
}

/** One thread and the estimator in it. */
class TeamMember {
  /** Requests under way. */
  owed = 0;
  busyMs = 0;
  readonly #pool: Piscina<WorkerTask, WorkerReply>;

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
      // A thread asleep in Atomics.wait would not hear from its GPU.
      atomics: 'disabled',
    });
    // A thread that dies between tasks is replaced by the pool; the next task opens its estimator anew.
    this.#pool.on('error', () => {});
  }

  /** The reply to a task; rejects with the estimator's own error, or with ThreadDeath. */
  async ask<Kind extends WorkerReply['kind']>(
    task: WorkerTask,
    kind: Kind,
  ): Promise<Extract<WorkerReply, { kind: Kind }>> {
    this.owed++;
    let reply: WorkerReply;
    try {
      reply = await this.#pool.run(task);
    } catch (error) {
      throw new ThreadDeath(error instanceof Error ? error.message : String(error));
    } finally {
      this.owed--;
    }
    this.busyMs = Math.max(this.busyMs, reply.busyMs);
    for (const warning of reply.warnings) this.onWarning?.(warning);
    if (reply.kind === 'failed') throw revivedError(reply.error);
    if (reply.kind !== kind) throw new ThreadDeath(`the thread replied '${reply.kind}' rather than '${kind}'`);
    return reply as Extract<WorkerReply, { kind: Kind }>;
  }

  /** Closes the estimator and ends the thread. With work under way, only if `patient` is the estimator asked first. */
  async close(patient: boolean): Promise<void> {
    if (patient || this.owed === 0) await this.ask({ kind: 'close' }, 'closed').catch(() => {});
    await this.#pool.destroy();
  }
}

/** A picture that may be sent to a thread: shared pels as they are, others as a copy of their own. */
function portable({ id, width, height, pels }: LumaPicture): LumaPicture {
  // A view of a larger buffer would take the whole buffer along.
  return { id, width, height, pels: pels.buffer instanceof SharedArrayBuffer ? pels : pels.slice() };
}
