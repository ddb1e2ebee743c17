// What a search thread does: makes an estimator and answers tasks with it.
import { inRoom } from '../../kernels/memory-room.js';
import { plainError } from '../../threads/plain-error.js';
import { SharedText } from '../../threads/shared-text.js';
import type { ThreadWork } from '../../threads/thread-messages.js';
import { isBuiltInName, needsGpu } from '../built-in-estimators.js';
import type { EstimateRequest, LumaPicture, MotionEstimator } from '../estimator.js';
import { createInThisThread } from '../this-thread.js';
import { PollingPause } from './polling-pause.js';
import type { EstimateAnswer, OpenedEstimator, SearchReport, SearchSetup, SearchTasks } from './search-tasks.js';
import type { KeptGpu } from './thread-gpu.js';

/** The estimator of this thread, made by the task that asks for it, and the report that every reply carries. */
export class EstimatorThread implements SearchTasks {
  readonly pause = new PollingPause();
  #estimator: Promise<MotionEstimator> | undefined;
  /** The result of `#estimator`, once it is there. */
  made: MotionEstimator | undefined;
  #underWay = 0;
  #busySinceMs = 0;
  #busyMs = 0;
  #warnings: string[] = [];

  constructor(
    readonly setup: SearchSetup,
    readonly keptGpu: KeptGpu | undefined,
  ) {
    // A GPU takes long. Until this thread is asked, whoever has started it has to hear that it runs.
    const { estimator } = setup;
    if (needsGpu(estimator)) this.open().catch(() => {}); // the task rejects
  }

  async open(): Promise<OpenedEstimator> {
    this.#estimator ??= this.#createEstimator();
    const { traits } = await this.#estimator;
    return { traits };
  }

  async estimate(requests: readonly EstimateRequest[]): Promise<EstimateAnswer[]> {
    this.#estimator ??= this.#createEstimator();
    const estimator = await this.#estimator;
    const { kernels } = this.setup;
    const received = (picture: LumaPicture) => ({ ...picture, pels: inRoom(picture.pels, kernels) });
    const answer = ({ current, reference, ...start }: EstimateRequest) =>
      estimator.estimate({ current: received(current), reference: received(reference), ...start }).then(
        field => ({ field }),
        error => ({ error: plainError(error) }),
      );
    return this.#timed(() => Promise.all(requests.map(answer)));
  }

  async close(): Promise<void> {
    await (await this.#estimator?.catch(() => undefined))?.close();
    // The thread may have other work to come.
    this.pause.end();
  }

  report(): SearchReport {
    return { device: this.made?.device, busyMs: this.#busyMs, warnings: this.#warnings.splice(0) };
  }

  async #createEstimator(): Promise<MotionEstimator> {
    const { estimator, parameters, drivers: memory, ...options } = this.setup;
    const drivers = memory && new SharedText(memory);
    const onWarning = (message: string) => this.#warnings.push(message);
    const { keptGpu } = this;
    this.made = await createInThisThread(estimator, parameters, { ...options, drivers, keptGpu, onWarning });
    return this.made;
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay++ === 0) this.#busySinceMs = performance.now();
    this.pause.keepAwake();
    try {
      return await work();
    } finally {
      this.pause.keepAwake();
      if (--this.#underWay === 0) this.#busyMs += performance.now() - this.#busySinceMs;
    }
  }
}

/** Built-in estimators give their fields away; a module may keep its own. */
function fieldBuffers(answer: unknown): ArrayBufferLike[] {
  if (!Array.isArray(answer)) return [];
  return (answer as EstimateAnswer[]).flatMap(one =>
    'field' in one ? [one.field.dx.buffer, one.field.dy.buffer, one.field.cost.buffer] : [],
  );
}

/** The work of a search thread, and that thread. */
export function estimatorWork(
  setup: SearchSetup,
  keptGpu?: KeptGpu,
): ThreadWork<SearchTasks, SearchReport> & { readonly thread: EstimatorThread } {
  const thread = new EstimatorThread(setup, keptGpu);
  const handedOver = isBuiltInName(setup.estimator) ? fieldBuffers : () => [];
  return { thread, tasks: thread, report: () => thread.report(), handedOver };
}
