import { workerData } from 'piscina';
import type { MotionEstimator } from '../estimator.js';
import { openHere } from '../registry.js';
import { plainError, type WorkerReply, type WorkerSetup, type WorkerTask } from './worker-messages.js';

/** What a search thread holds: its estimator, opened by the first task, and what it has to report. */
class SearchThread {
  #estimator: Promise<MotionEstimator> | undefined;
  #underWay = 0;
  #busySince = 0;
  #busyMs = 0;
  #warnings: string[] = [];

  constructor(readonly setup: WorkerSetup) {}

  async answer(task: WorkerTask): Promise<WorkerReply> {
    const answer = await this.#perform(task).catch(error => ({ kind: 'failed' as const, error: plainError(error) }));
    return { ...answer, busyMs: this.#busyMs, warnings: this.#warnings.splice(0) };
  }

  async #perform(task: WorkerTask) {
    if (task.kind === 'close') {
      await (await this.#estimator?.catch(() => undefined))?.close();
      return { kind: 'closed' as const };
    }
    const estimator = await this.#open();
    if (task.kind === 'open') return { kind: 'opened' as const, traits: estimator.traits, device: estimator.device };
    return this.#timed(async () => ({ kind: 'field' as const, field: await estimator.estimate(task.request) }));
  }

  #open(): Promise<MotionEstimator> {
    const { estimator, parameters, allowSoftware, kernels } = this.setup;
    this.#estimator ??= openHere(estimator, parameters, {
      allowSoftware,
      ...(kernels === undefined ? {} : { kernels }),
      onWarning: message => this.#warnings.push(message),
    });
    return this.#estimator;
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay++ === 0) this.#busySince = performance.now();
    try {
      return await work();
    } finally {
      if (--this.#underWay === 0) this.#busyMs += performance.now() - this.#busySince;
    }
  }
}

const thread = new SearchThread(workerData as WorkerSetup);

/** The entry of a search thread. */
export default (task: WorkerTask): Promise<WorkerReply> => thread.answer(task);
