// The queue of a farm: BullMQ on Redis or PostgreSQL. Two queues, so that no job's assembly waits for another's chunks.
import type { FlowProducer, Job, JobsOptions, Queue, Worker, WorkerOptions } from 'bullmq';
import { OptionError, UnsupportedError } from '../../errors.js';
import type { Flow } from '../jobs/farm-flow.js';
import { type JobRecord, type StepData, type StepKind, stepId } from '../jobs/farm-step.js';
import { requireOptional } from '../load-optional.js';
import { type Connection, connectQueue } from './connection.js';
import type { QueuePlace } from './queue-url.js';

/** A step as BullMQ holds it. */
export type StepJob = Job<StepData>;

/** What a worker does with a step. Rejects with BullMQ's errors where they mean something. */
export type StepProcessor = (job: StepJob, token: string) => Promise<unknown>;

/** How a worker takes steps. */
export type StepWorkerOptions = Pick<WorkerOptions, 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'name'>;

/** How many times a step is tried. */
export const ATTEMPTS = 3;
/** Steps of chunks that have failed and are kept for whoever looks into the queue. */
const KEPT_FAILURES = 1000;
/** Steps other than chunks that are over and kept. Of a job that runs, the plan is one: it stands for the job. */
const KEPT_STEPS = 100_000;
/** How long a worker waits after an error of the connection, in milliseconds. */
const RETRY_MS = 1000;
/** A queue that does not answer within this time is away. */
const ANSWER_MS = 3000;
/** How long a question may take, in milliseconds; a list of 100,000 steps takes some seconds. */
const QUESTION_MS = 10_000;

/** No attempt waits: no job of the farm is ever delayed. */
const OF_CHUNKS: JobsOptions = {
  attempts: ATTEMPTS,
  failParentOnFailure: true,
  removeOnComplete: true,
  removeOnFail: { count: KEPT_FAILURES },
};
const OF_STEPS: JobsOptions = {
  attempts: ATTEMPTS,
  removeOnComplete: { count: KEPT_STEPS },
  removeOnFail: { count: KEPT_STEPS },
};

type BullMq = typeof import('bullmq');

/** A farm's queue. To be closed. */
export class FarmQueue {
  /** Plans, budgets and assemblies; the plan stands for its job. */
  readonly steps: Queue<StepData>;
  readonly chunks: Queue<StepData>;
  readonly #bullmq: BullMq;
  readonly #connection: Connection;
  readonly #flows: FlowProducer;
  readonly #onError: (error: Error) => void;

  private constructor(bullmq: BullMq, connection: Connection, name: string, onError: (error: Error) => void) {
    const { options, backend } = connection;
    this.#bullmq = bullmq;
    this.#connection = connection;
    this.#onError = onError;
    this.steps = new bullmq.Queue(`${name}-steps`, options, backend);
    this.chunks = new bullmq.Queue(`${name}-chunks`, options, backend);
    this.#flows = new bullmq.FlowProducer(options, backend);
    for (const queue of [this.steps, this.chunks]) queue.on('error', onError);
    this.#flows.on('error', onError);
  }

  /**
   * Connects to a queue. `onError` hears of what goes wrong later; without it, questions to a queue in Redis that is
   * away fail after ten seconds. Throws an OptionError for a name that cannot be, and an UnsupportedError if the
   * queue cannot be reached, or if packages are missing.
   */
  static async open(place: QueuePlace, name: string, onError?: (error: Error) => void): Promise<FarmQueue> {
    if (!/^[^:]+$/.test(name)) {
      throw new OptionError('queue', named => `${named('queue')} '${name}' is no name: it is empty, or has a colon`);
    }
    const packages = place.kind === 'redis' ? 'bullmq ioredis' : 'bullmq pg';
    const answerMs = onError ? undefined : QUESTION_MS;
    const bullmq = await requireOptional<BullMq>('bullmq', 'mpegpu farm', packages);
    const connection = await connectQueue(place, bullmq, { packages, answerMs });
    const queue = new FarmQueue(bullmq, connection, name, onError ?? (() => {}));
    try {
      // On PostgreSQL, what cannot connect when it is used first never can.
      await Promise.all([queue.steps, queue.chunks, queue.#flows].map(used => used.waitUntilReady()));
      return queue;
    } catch (error) {
      await queue.close().catch(() => {});
      throw new UnsupportedError(`the queue ${place.shown} cannot be used: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** Adds a job. Does nothing if there is one of this name. */
  async addJob(record: JobRecord): Promise<void> {
    const options = { ...OF_STEPS, ...this.#connection.ofPlans, jobId: stepId('plan', record) };
    await this.steps.add('plan', record, options);
  }

  /** Adds the steps that follow a plan, all or none. Does nothing for those that are there. */
  async addFlow({ kind, data, children }: Flow): Promise<void> {
    await this.#flows.add({
      ...{ name: kind, queueName: this.steps.name, data },
      opts: { ...OF_STEPS, jobId: stepId(kind, data) },
      children: children.map(child => ({
        ...{ name: child.kind, queueName: this.chunks.name, data: child.data },
        opts: { ...OF_CHUNKS, jobId: stepId(child.kind, child.data) },
      })),
    });
  }

  /** The record of a job; undefined if there is none. */
  async record(job: string): Promise<Job<JobRecord> | undefined> {
    const found = await this.steps.getJob(job);
    return found?.name === 'plan' ? (found as Job<JobRecord>) : undefined; // else another step, or BullMQ's own
  }

  /** The records of all jobs. */
  async records(): Promise<Job<JobRecord>[]> {
    const jobs = await this.steps.getJobs(['waiting', 'prioritized', 'active', 'completed', 'failed']);
    return jobs.filter(job => job?.name === 'plan') as Job<JobRecord>[];
  }

  /** The steps of one of the two queues that are next, or that are being done; none if the queue is empty. */
  async next(queue: 'steps' | 'chunks'): Promise<StepJob[]> {
    const next = await Promise.all([
      this[queue].getJobs(['active'], 0, 0),
      this[queue].getJobs(['waiting'], 0, 0, true),
      this[queue].getJobs(['prioritized'], 0, 0, true),
    ]);
    return next.flat().filter(job => job !== undefined);
  }

  /** A step of a job, other than those of its chunks; undefined if it is not there yet. */
  async step(kind: StepKind, data: Pick<StepData, 'job' | 'run'>): Promise<StepJob | undefined> {
    return (await this.steps.getJob(stepId(kind, data))) ?? undefined;
  }

  /**
   * What takes steps of one of the two queues, one at a time, once it is told to `run`. Throws an UnsupportedError if
   * the queue is away.
   */
  async taker(
    queue: 'steps' | 'chunks',
    processor: StepProcessor,
    options: StepWorkerOptions,
  ): Promise<Worker<StepData>> {
    const { options: connected, backend } = this.#connection;
    const process = (job: StepJob, token?: string) => processor(job, token ?? '');
    // On PostgreSQL, a worker that runs before it has connected, and cannot, asks again and again without a pause.
    const all = { ...connected, ...options, runRetryDelay: RETRY_MS, autorun: false };
    const worker = new this.#bullmq.Worker<StepData>(this[queue].name, process, all, backend);
    worker.on('error', this.#onError);
    try {
      await worker.waitUntilReady();
    } catch (error) {
      await worker.close(true).catch(() => {});
      throw new UnsupportedError(`the queue cannot be used: ${(error as Error).message}`, { cause: error });
    }
    return worker;
  }

  /** Whether it can be reached now. */
  answers(): Promise<boolean> {
    return new Promise(resolve => {
      const late = setTimeout(() => resolve(false), ANSWER_MS);
      const answered = this.steps.getWaitingCount().finally(() => clearTimeout(late));
      answered.then(
        () => resolve(true),
        () => resolve(false),
      );
    });
  }

  /** Gives a step back: it waits again, and no attempt has been made. The result is what the processor must throw. */
  async giveBack(job: StepJob, token: string): Promise<Error> {
    await job.moveToWait(token);
    return new this.#bullmq.WaitingError();
  }

  /** What a processor throws if there is to be no other attempt. */
  noMoreAttempts(reason: string): Error {
    return new this.#bullmq.UnrecoverableError(reason);
  }

  async close(): Promise<void> {
    await Promise.all([this.steps.close(), this.chunks.close(), this.#flows.close()]);
    await this.#connection.close();
  }
}
