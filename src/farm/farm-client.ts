// Submits jobs to a farm, asks for them, cancels them.
import { UnsupportedError } from '../errors.js';
import { requireKnownNames } from '../given-options.js';
import type { FarmRequest } from './jobs/farm-request.js';
import type { JobStatus } from './jobs/job-status.js';
import { packageVersion } from './package-version.js';
import { isNoAnswer } from './queue/connection.js';
import { FarmQueue } from './queue/farm-queue.js';
import { cancelJob, jobStatus, listJobs, type SubmittedJob, submitJob } from './queue/job-record.js';
import { parseQueueUrl } from './queue/queue-url.js';
import { DEFAULT_QUEUE } from './worker/worker-options.js';

const DEFAULT_COUNT = 100;

/** Which farm is meant. */
export interface FarmOptions {
  /** URL of the queue: `redis://...` or `postgres://...`. */
  readonly url: string;
  /** Name of the queue; default `mpegpu`. */
  readonly queue?: string | undefined;
  /** Version of the mpegpu that submits; default: that of this package. */
  readonly version?: string | undefined;
}

const NAMES = Object.keys({ url: true, queue: true, version: true } satisfies Record<keyof FarmOptions, true>);

/**
 * A farm, as those see it who give it work. To be closed. Its methods reject with UnsupportedError where the queue does
 * not answer; a job may be submitted or cancelled all the same then.
 */
export class Farm {
  readonly #queue: FarmQueue;
  readonly #version: string;
  /** Names the queue in messages. */
  readonly #shown: string;

  private constructor(queue: FarmQueue, version: string, shown: string) {
    this.#queue = queue;
    this.#version = version;
    this.#shown = shown;
  }

  /** Connects. Throws an OptionError for a wrong option, and an UnsupportedError if the queue cannot be reached. */
  static async open(options: FarmOptions): Promise<Farm> {
    requireKnownNames(options, NAMES, 'FarmOptions');
    const { url, queue = DEFAULT_QUEUE, version = packageVersion() } = options;
    const place = parseQueueUrl(url);
    return new Farm(await FarmQueue.open(place, queue), version, place.shown);
  }

  /**
   * Submits a job. The same request again is the same job: one that waits, runs or is done is left alone; one that has
   * failed or was cancelled begins anew, and so does one that is done if the output may be replaced.
   */
  submit(request: FarmRequest): Promise<SubmittedJob> {
    return this.#ask(submitJob(this.#queue, request, this.#version));
  }

  /** The status of a job. Throws an InputError if there is none of this name. */
  status(job: string): Promise<JobStatus> {
    return this.#ask(jobStatus(this.#queue, job));
  }

  /** The status of a job; undefined if there is none of this name. */
  async find(job: string): Promise<JobStatus | undefined> {
    return (await this.#ask(this.#queue.record(job))) && this.status(job);
  }

  /** The status of the newest jobs, the newest first; default 100 of them. */
  list(count = DEFAULT_COUNT): Promise<JobStatus[]> {
    return this.#ask(listJobs(this.#queue, count));
  }

  /** Ends a job: what waits of it is skipped, and workers end what they do for it within seconds. */
  cancel(job: string): Promise<JobStatus> {
    return this.#ask(cancelJob(this.#queue, job));
  }

  /** Closes the connection. Jobs go on. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #ask<Answer>(question: Promise<Answer>): Promise<Answer> {
    try {
      return await question;
    } catch (error) {
      if (!isNoAnswer(error)) throw error;
      throw new UnsupportedError(`the queue ${this.#shown} does not answer`, { cause: error });
    }
  }
}
