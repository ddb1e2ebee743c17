// When a request is a new job, and who ends one, on a queue that is an object.
import { expect, it } from 'vitest';
import { type FarmRequest, jobNameOf } from '../../../src/farm/jobs/farm-request.js';
import type { Assembled, JobRecord, StepKind } from '../../../src/farm/jobs/farm-step.js';
import type { FarmQueue } from '../../../src/farm/queue/farm-queue.js';
import { cancelJob, endJob, jobStatus, listJobs, submitJob } from '../../../src/farm/queue/job-record.js';

const places = { input: 'file:in.y4m', output: 'file:out.mpg', store: 'file:store' };
const request: FarmRequest = { ...places, reading: {}, options: { q: 3 }, sound: { audio: 'auto' }, overwrite: false };
const job = jobNameOf(request);
const assembled: Assembled = { frames: 20, bits: 9, psnr: 40 };

/** A queue, and what a test may set in it: the state of each step, and the result of the assembly. */
function queueOf() {
  const records = new Map<string, JobRecord>();
  const set = { plan: 'waiting', assemble: undefined as string | undefined, isHeld: false };
  const stepOf = (id: string, state: () => string) => ({
    id,
    name: 'plan',
    get data() {
      return records.get(id)!;
    },
    getState: async () => state(),
    returnvalue: state() === 'completed' ? assembled : null,
    remove: async () => {
      if (set.isHeld) throw new Error('locked');
      records.delete(id);
    },
    updateData: async (data: JobRecord) => void records.set(id, data),
  });
  const planOf = (id: string) => stepOf(id, () => set.plan);
  const assembly = () => (set.assemble === undefined ? undefined : stepOf('assembly', () => set.assemble!));
  const queue = {
    record: async (id: string) => (records.has(id) ? planOf(id) : undefined),
    records: async () => [...records.keys()].map(planOf),
    step: async (kind: StepKind) => (kind === 'assemble' ? assembly() : undefined),
    steps: { getJob: async (id: string) => (id === 'assembly' ? assembly() : planOf(id)) },
    addJob: async (record: JobRecord) => void records.set(record.job, record),
  };
  return { queue: queue as unknown as FarmQueue, set, records };
}

it('a job that waits is left alone, and is refused to another version', async () => {
  const { queue } = queueOf();
  expect(await submitJob(queue, request, '1.0.0')).toMatchObject({ job, state: 'waiting', isNew: true });
  expect(await submitJob(queue, request, '1.0.0')).toMatchObject({ job, isNew: false });
  await expect(submitJob(queue, request, '2.0.0')).rejects.toMatchObject({
    name: 'InputError',
    message: `job ${job} is of mpegpu 1.0.0 and not over: cancel it first`,
  });
});

it('a job that has failed begins anew, by another version, too, but not while it is being ended', async () => {
  const { queue, set, records } = queueOf();
  await submitJob(queue, request, '1.0.0');
  const before = records.get(job)!;
  Object.assign(set, { plan: 'failed', isHeld: true });
  await expect(submitJob(queue, request, '1.0.0')).rejects.toMatchObject({
    name: 'InputError',
    message: `job ${job} is just being ended: try again in some seconds`,
  });
  expect(records.get(job)).toBe(before);
  set.isHeld = false;
  expect((await submitJob(queue, request, '2.0.0')).isNew).toBe(true);
  expect(records.get(job)).toMatchObject({ ...places, version: '2.0.0', request });
});

it('a job that is done is left alone, unless the output may be replaced', async () => {
  const { queue, set } = queueOf();
  await submitJob(queue, request, '1.0.0');
  Object.assign(set, { plan: 'completed', assemble: 'completed' });
  expect(await submitJob(queue, request, '1.0.0')).toMatchObject({ state: 'done', ...assembled, isNew: false });
  expect(await submitJob(queue, { ...request, overwrite: true }, '1.0.0')).toMatchObject({ isNew: true });
});

it('what has ended a job first stays', async () => {
  const { queue, set } = queueOf();
  await submitJob(queue, request, '1.0.0');
  const cancelled = { state: 'cancelled', reason: 'cancelled by a user' };
  expect(await cancelJob(queue, job)).toMatchObject(cancelled);
  set.plan = 'failed';
  expect(await cancelJob(queue, job)).toMatchObject(cancelled);
  await endJob((await queue.record(job))!, { state: 'failed', reason: 'a disk' });
  expect(await jobStatus(queue, job)).toMatchObject(cancelled);
  const other = queueOf();
  await submitJob(other.queue, request, '1.0.0');
  other.set.plan = 'failed';
  expect((await cancelJob(other.queue, job)).state).toBe('failed');
});

it('lists the newest jobs first, so many of them, and knows no others', async () => {
  const { queue, records } = queueOf();
  for (const [i, output] of ['file:b.mpg', 'file:a.mpg', 'file:c.mpg'].entries()) {
    const { job: name } = await submitJob(queue, { ...request, output }, '1.0.0');
    records.set(name, { ...records.get(name)!, submitted: i });
  }
  expect((await listJobs(queue, 2)).map(({ output }) => output)).toEqual(['file:c.mpg', 'file:a.mpg']);
  await expect(jobStatus(queue, '0123')).rejects.toThrow('job 0123 does not exist: mpegpu farm status lists the jobs');
});
