// Jobs in the queue: submitted, looked up, ended before their time.
import type { Job } from 'bullmq';
import { InputError } from '../../errors.js';
import { checkRequest, type FarmRequest, jobNameOf } from '../jobs/farm-request.js';
import type { Assembled, EarlyEnd, JobRecord, Planned } from '../jobs/farm-step.js';
import { isOver, type JobStatus, type QueuedStep, statusOf } from '../jobs/job-status.js';
import type { FarmQueue, StepJob } from './farm-queue.js';

/** A job that was submitted. */
export interface SubmittedJob extends JobStatus {
  /** False: there was such a job, which goes on. */
  readonly isNew: boolean;
}

/**
 * Submits a job. The same request again is the same job: one that waits, runs or is done is left alone; one that has
 * failed or was cancelled begins anew, and so does one that is done if the output may be replaced. Chunks that are in
 * the store are not coded again. Throws an InputError or an OptionError for places that cannot be used.
 */
export async function submitJob(queue: FarmQueue, request: FarmRequest, version: string): Promise<SubmittedJob> {
  checkRequest(request);
  const job = jobNameOf(request);
  const before = await queue.record(job);
  if (before) {
    const status = await statusOfRecord(queue, before);
    const isLeftAlone = isOver(status) ? status.state === 'done' && !request.overwrite : status.version === version;
    if (isLeftAlone) return { ...status, isNew: false };
    if (!isOver(status)) {
      throw new InputError(`job ${job} is of mpegpu ${status.version} and not over: cancel it first`);
    }
    await before.remove().catch(() => {
      throw new InputError(`job ${job} is just being ended: try again in some seconds`);
    });
  }
  const now = Date.now();
  const { input, output, store } = request;
  const record = { version, job, run: now.toString(36), input, output, store, request, submitted: now / 1000 };
  await queue.addJob(record);
  return { ...(await jobStatus(queue, job)), isNew: true };
}

/** The status of a job. Throws an InputError if there is none of this name. */
export async function jobStatus(queue: FarmQueue, job: string): Promise<JobStatus> {
  return statusOfRecord(queue, await existing(queue, job));
}

/** The status of the newest jobs, the newest first. */
export async function listJobs(queue: FarmQueue, count: number): Promise<JobStatus[]> {
  const records = (await queue.records()).sort((a, b) => b.data.submitted - a.data.submitted).slice(0, count);
  return Promise.all(records.map(record => statusOfRecord(queue, record)));
}

/** Ends a job: what waits of it is skipped, and workers end what they do for it within seconds. */
export async function cancelJob(queue: FarmQueue, job: string): Promise<JobStatus> {
  const record = await existing(queue, job);
  if (!isOver(await statusOfRecord(queue, record))) {
    await endJob(record, { state: 'cancelled', reason: 'cancelled by a user' });
  }
  return jobStatus(queue, job);
}

/** Says in a job's record that it is over. What has ended it first stays. */
export async function endJob(record: Job<JobRecord>, ended: EarlyEnd): Promise<void> {
  if (record.data.ended === undefined) await record.updateData({ ...record.data, ended });
}

async function existing(queue: FarmQueue, job: string): Promise<Job<JobRecord>> {
  const record = await queue.record(job);
  if (!record) throw new InputError(`job ${job} does not exist: mpegpu farm status lists the jobs`);
  return record;
}

async function statusOfRecord(queue: FarmQueue, record: Job<JobRecord>): Promise<JobStatus> {
  const [budget, assemble] = await Promise.all([
    queue.step('budget', record.data),
    queue.step('assemble', record.data),
  ]);
  return statusOf(record.data, {
    plan: await queued<Planned>(queue, record as StepJob),
    budget: budget && (await queued<Planned>(queue, budget)),
    assemble: assemble && (await queued<Assembled>(queue, assemble)),
  });
}

/** A step as it is now. The state is read before the rest, so that a step that is completed has its result. */
async function queued<Result>(queue: FarmQueue, found: StepJob): Promise<QueuedStep<Result>> {
  const known = await found.getState();
  const state = ['active', 'completed', 'failed', 'waiting-children'].find(name => name === known) ?? 'waiting';
  const job = (await queue.steps.getJob(found.id!)) ?? found;
  const { processed } = state === 'waiting-children' ? await job.getDependenciesCount({ processed: true }) : {};
  return {
    state: state as QueuedStep<Result>['state'],
    ...(processed !== undefined && { childrenDone: processed }),
    failure: job.failedReason,
    result: (job.returnvalue as Result | null) ?? undefined,
  };
}
