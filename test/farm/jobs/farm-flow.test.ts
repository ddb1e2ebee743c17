// Which steps a job has, what they are called, and what is told of it at each.
import { describe, expect, it } from 'vitest';
import { statusInWords } from '../../../src/cli/farm/job-commands.js';
import { flowAfter } from '../../../src/farm/jobs/farm-flow.js';
import { type FarmRequest, jobNameOf } from '../../../src/farm/jobs/farm-request.js';
import { chunkObject, type JobRecord, type StepData, stepId } from '../../../src/farm/jobs/farm-step.js';
import { type JobSteps, statusOf } from '../../../src/farm/jobs/job-status.js';

const places = { input: 'file:in.y4m', output: 'file:out.mpg', store: 'file:store' };
const step: StepData = { version: '1.2.3', job: 'job', run: 'run', ...places };
const request: FarmRequest = { ...places, reading: {}, options: { q: 3 }, sound: { audio: 'auto' }, overwrite: false };
const record: JobRecord = { ...step, request, submitted: 1 };
const planned = { plan: 'abc', chunks: 2, frames: 20, needsFirstPass: false };

describe('the steps after a plan', () => {
  it('are its chunks and their assembly', () => {
    const { kind, data, children } = flowAfter(step, { ...planned, sound: 'sound/a.mp2' });
    expect([kind, stepId(kind, data), data.sound]).toEqual(['assemble', 'job-run-assemble', 'sound/a.mp2']);
    expect(children.map(({ kind, data }) => stepId(kind, data))).toEqual(['job-run-encode-0', 'job-run-encode-1']);
    expect(children[1]!.data).toEqual({ ...step, plan: 'abc', index: 1 });
  });

  it('are the first pass of its chunks and the budgets, with two passes', () => {
    const { kind, children } = flowAfter(step, { ...planned, needsFirstPass: true });
    expect([kind, ...children.map(({ kind }) => kind)]).toEqual(['budget', 'measure', 'measure']);
  });

  it('keep what they make under names that say what decides it', () => {
    const data = { ...step, plan: 'abc', index: 7 };
    expect(chunkObject('encode', data)).toBe('chunks/abc-1.2.3/7.chunk');
    expect(chunkObject('measure', data)).toBe('chunks/abc-1.2.3/7.json');
  });
});

describe('the name of a job', () => {
  it('is that of its request, whether or not the output may be replaced', () => {
    expect(jobNameOf({ ...request, overwrite: true })).toBe(jobNameOf(request));
    expect(() => jobNameOf(undefined as never)).toThrow('the options are undefined, not an object');
    const others: Partial<FarmRequest>[] = [{ output: 'file:b.mpg' }, { options: { q: 4 } }, { store: 'file:other' }];
    expect(new Set([{}, ...others].map(other => jobNameOf({ ...request, ...other }))).size).toBe(4);
  });
});

describe('the status of a job', () => {
  const plan = { state: 'completed', result: planned } as const;
  it.each<[string, JobSteps, object]>([
    ['waiting', { plan: { state: 'waiting' } }, {}],
    ['planning', { plan: { state: 'active' } }, {}],
    ['first pass', { plan, budget: { state: 'waiting-children', childrenDone: 1 } }, { chunks: 2, chunksDone: 1 }],
    ['budgeting', { plan, budget: { state: 'active' } }, { chunksDone: 2 }],
    ['encoding', { plan, assemble: { state: 'waiting-children', childrenDone: 0 } }, { chunksDone: 0, plan: 'abc' }],
    [
      'encoding',
      {
        plan,
        budget: { state: 'completed', result: { ...planned, plan: 'def' } },
        assemble: { state: 'waiting-children' },
      },
      { chunks: 2, chunksDone: 0, plan: 'def' },
    ],
    ['assembling', { plan, assemble: { state: 'waiting' } }, { chunksDone: 2 }],
    ['done', { plan, assemble: { state: 'completed', result: { frames: 20, bits: 9, psnr: 40 } } }, { bits: 9 }],
    [
      'done',
      { plan: { state: 'failed' }, assemble: { state: 'completed', result: { frames: 20, bits: 9, psnr: 40 } } },
      { frames: 20, bits: 9 },
    ],
    ['failed', { plan: { state: 'failed', failure: 'no input' } }, { reason: 'no input' }],
    ['failed', { plan, assemble: { state: 'failed', failure: 'disk' } }, { reason: 'disk' }],
    ['failed', { plan, budget: { state: 'failed' } }, { reason: 'unknown' }],
  ])('%s', (state, steps, more) => {
    expect(statusOf(record, steps)).toMatchObject({ state, job: 'job', ...more });
  });

  it('is what ended it, unless it was done before', () => {
    const ended = { state: 'cancelled', reason: 'by a user' } as const;
    const encoding = { plan, assemble: { state: 'waiting-children' } } as const;
    expect(statusOf({ ...record, ended }, encoding)).toMatchObject(ended);
    const done = { plan, assemble: { state: 'completed', result: { frames: 20, bits: 9, psnr: 40 } } } as const;
    expect(statusOf({ ...record, ended }, done).state).toBe('done');
  });
});

it('the line of a job says its numbers', () => {
  const result = { frames: 1, bits: 9, psnr: 40 };
  expect(
    statusInWords(statusOf(record, { plan: { state: 'completed' }, assemble: { state: 'completed', result } })),
  ).toContain('done, 1 frame, 9 bits, PSNR 40.00 dB');
});

it('the line of a job whose plan was cut off names no number of chunks', () => {
  const steps = { plan: { state: 'active' }, assemble: { state: 'waiting-children', childrenDone: 0 } } as const;
  expect(statusInWords(statusOf(record, steps))).toMatch(/^job {2}encoding {2}file:/);
});
