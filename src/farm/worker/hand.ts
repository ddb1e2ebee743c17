// What works on one of the two queues for a worker: one step at a time, in a process of its own.
import type { Worker } from 'bullmq';
import type { JobRecord, StepData, StepKind } from '../jobs/farm-step.js';
import type { StepJob } from '../queue/farm-queue.js';
import type { FarmMachine, StepProgress, StepResult } from '../steps/farm-task.js';
import { EncoderHost } from './encoder-host.js';

/** The job of a step is over: what remains of it is not done. */
export class JobIsOver extends Error {
  override readonly name = 'JobIsOver';
}

/** The worker stops, and its step is given back. */
export class GivenBack extends Error {
  override readonly name = 'GivenBack';
}

/** What a hand needs from its worker. */
interface HandContext {
  /** The job of a step as the queue has it now. */
  readonly recordOf: (step: StepData) => Promise<JobRecord | undefined>;
  /** Whether the queue can be reached now. */
  readonly queueAnswers: () => Promise<boolean>;
  readonly stallMs: number;
  readonly onWarning: (message: string) => void;
}

/** How often a step that runs asks whether its job is over, in milliseconds. */
const ASK_MS = 1000;

/** Takes steps of one queue. */
export class Hand {
  readonly #host: EncoderHost;
  readonly #context: HandContext;
  #running: { readonly abort: AbortController; readonly done: Promise<unknown> } | undefined;
  #rest: NodeJS.Timeout | undefined;
  #isStopping = false;
  /** What takes the steps from the queue; set once it is there. */
  taker: Worker<StepData> | undefined;
  /** Steps that failed one after another. */
  failures = 0;

  constructor(machine: FarmMachine, context: HandContext) {
    this.#host = new EncoderHost(machine);
    this.#context = context;
  }

  /** Does a step of a job. Rejects with JobIsOver, GivenBack or a StepError. */
  async run(job: StepJob, onProgress: (progress: StepProgress) => void): Promise<StepResult> {
    const { recordOf, stallMs, onWarning } = this.#context;
    const abort = new AbortController();
    const record = await recordOf(job.data);
    if (!record || record.ended) throw new JobIsOver(overReason(record));
    if (this.#isStopping) throw new GivenBack('the worker stops');
    let isAsking = false;
    const asking = setInterval(async () => {
      if (isAsking) return;
      isAsking = true;
      const now = await recordOf(job.data).catch(() => record);
      isAsking = false;
      if (!now || now.ended) abort.abort(new JobIsOver(overReason(now)));
    }, ASK_MS);
    const task = { kind: job.name as StepKind, step: job.data, request: record.request };
    const done = this.#host.run(task, { signal: abort.signal, stallMs, onProgress, onWarning });
    this.#running = { abort, done };
    try {
      return await done;
    } finally {
      clearInterval(asking);
      this.#running = undefined;
    }
  }

  /** Takes no steps for a while. */
  async restFor(ms: number): Promise<void> {
    await this.taker?.pause(true);
    if (!this.#isStopping) this.#rest = setTimeout(() => void this.taker?.resume(), ms);
  }

  /** Takes no more steps. The one that runs may end within a time; then it is given back. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#rest);
    await this.taker?.pause(true);
    const running = this.#running;
    const giveBack = setTimeout(() => running?.abort.abort(new GivenBack('the worker stops')), graceMs);
    await running?.done.catch(() => {});
    clearTimeout(giveBack);
    // To close is to wait until the queue knows how the last step has ended. One that is away never would.
    await this.taker?.close(!(await this.#context.queueAnswers()));
    await this.#host.close();
  }
}

function overReason(record: JobRecord | undefined): string {
  return record?.ended ? `the job was ${record.ended.state}` : 'the job is not there any more';
}
