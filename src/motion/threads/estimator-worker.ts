// The entry of a search thread: makes an estimator and answers tasks with it.
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { isBuiltInName } from '../built-in-estimators.js';
import type { MotionEstimator, MotionField } from '../estimator.js';
import { createInThisThread } from '../own-thread.js';
import { PollingPause } from './polling-pause.js';
import { plainError, type WorkerReply, type WorkerSetup, type WorkerTask } from './worker-messages.js';

/** The estimator of this thread, made by the task that asks for it, and the report that every reply carries. */
class EstimatorThread {
  readonly #pause = new PollingPause();
  #estimator: Promise<MotionEstimator> | undefined;
  #underWay = 0;
  #busySinceMs = 0;
  #busyMs = 0;
  #warnings: string[] = [];

  constructor(readonly setup: WorkerSetup) {}

  async answer(task: WorkerTask): Promise<WorkerReply> {
    const answer = await this.#perform(task).catch(error => ({ kind: 'failed' as const, error: plainError(error) }));
    const reply = { ...answer, busyMs: this.#busyMs, warnings: this.#warnings.splice(0) };
    // Built-in estimators give their fields away; a module may keep its own.
    return reply.kind === 'field' && isBuiltInName(this.setup.estimator) ? withoutCopy(reply, reply.field) : reply;
  }

  async #perform(task: WorkerTask) {
    if (task.kind === 'start') return { kind: 'started' as const };
    if (task.kind === 'close') {
      await (await this.#estimator?.catch(() => undefined))?.close();
      return { kind: 'closed' as const };
    }
    this.#estimator ??= this.#createEstimator();
    const estimator = await this.#estimator;
    if (task.kind === 'open') return { kind: 'opened' as const, traits: estimator.traits, device: estimator.device };
    return this.#timed(async () => ({ kind: 'field' as const, field: await estimator.estimate(task.request) }));
  }

  #createEstimator(): Promise<MotionEstimator> {
    const { estimator, parameters, allowSoftware, kernels } = this.setup;
    const onWarning = (message: string) => this.#warnings.push(message);
    return createInThisThread(estimator, parameters, { allowSoftware, kernels, onWarning });
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay++ === 0) this.#busySinceMs = performance.now();
    this.#pause.keepAwake();
    try {
      return await work();
    } finally {
      this.#pause.keepAwake();
      if (--this.#underWay === 0) this.#busyMs += performance.now() - this.#busySinceMs;
    }
  }
}

/** `reply` as the pool sends it with the arrays of its field handed over, not copied. */
function withoutCopy(reply: WorkerReply, { dx, dy, cost }: MotionField): WorkerReply {
  const message = { [valueSymbol]: reply, [transferableSymbol]: [dx.buffer, dy.buffer, cost.buffer] };
  return move(message) as unknown as WorkerReply;
}

const thread = new EstimatorThread(workerData as WorkerSetup);

/** Called by the pool for each task. */
export default (task: WorkerTask): Promise<WorkerReply> => thread.answer(task);
