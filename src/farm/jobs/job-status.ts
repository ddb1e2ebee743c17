// What is told of a job.
import type { Assembled, JobRecord, Planned, StepKind } from './farm-step.js';

/** How far a job is. */
export type JobState =
  | 'waiting'
  | 'planning'
  | 'first pass'
  | 'budgeting'
  | 'encoding'
  | 'assembling'
  | 'done'
  | 'failed'
  | 'cancelled';

/** A job of a farm. */
export interface JobStatus {
  readonly job: string;
  readonly state: JobState;
  readonly input: string;
  readonly output: string;
  readonly version: string;
  /** Seconds since 1970. */
  readonly submitted: number;
  /** Identity of the plan, once there is one. */
  readonly plan?: string;
  readonly frames?: number;
  /** Chunks of the pass that runs: all, and those that are done. */
  readonly chunks?: number;
  readonly chunksDone?: number;
  /** Why it has failed or was cancelled. */
  readonly reason?: string;
  /** Bits of the video and its PSNR in dB, when it is done. */
  readonly bits?: number;
  readonly psnr?: number;
}

/** A step as the queue knows it. */
export interface QueuedStep<Result> {
  readonly state: 'waiting' | 'active' | 'waiting-children' | 'completed' | 'failed';
  /** Children that are done. */
  readonly childrenDone?: number;
  readonly failure?: string | undefined;
  readonly result?: Result | undefined;
}

/** The steps of a job that stand in the queue; undefined: not yet. */
export interface JobSteps {
  readonly plan: QueuedStep<Planned>;
  readonly budget?: QueuedStep<Planned> | undefined;
  readonly assemble?: QueuedStep<Assembled> | undefined;
}

/** The status of a job by its record and its steps. */
export function statusOf({ job, input, output, version, submitted, ended }: JobRecord, steps: JobSteps): JobStatus {
  const { plan, budget, assemble } = steps;
  const planned = budget?.result ?? plan.result;
  const status = {
    ...{ job, input, output, version, submitted },
    ...(planned && { plan: planned.plan, frames: planned.frames, chunks: planned.chunks }),
  };
  if (assemble?.state === 'completed') {
    const { frames, bits, psnr } = assemble.result!;
    return { ...status, state: 'done', chunksDone: planned?.chunks ?? 0, frames, bits, psnr };
  }
  if (ended) return { ...status, ...ended };
  const [kind, step]: [StepKind, QueuedStep<unknown>] = assemble
    ? ['assemble', assemble]
    : budget
      ? ['budget', budget]
      : ['plan', plan];
  if (step.state === 'failed') return { ...status, state: 'failed', reason: step.failure ?? 'unknown' };
  if (kind === 'plan') return { ...status, state: step.state === 'waiting' ? 'waiting' : 'planning' };
  const childrenRun = step.state === 'waiting-children';
  const ofChunks = kind === 'budget' ? 'first pass' : 'encoding';
  const ofStep = kind === 'budget' ? 'budgeting' : 'assembling';
  const chunksDone = childrenRun ? (step.childrenDone ?? 0) : (planned?.chunks ?? 0);
  return { ...status, state: childrenRun ? ofChunks : ofStep, chunksDone };
}

/** Whether nothing more happens to a job. */
export function isOver(status: JobStatus): boolean {
  const { state }: JobStatus = Object(status);
  return state === 'done' || state === 'failed' || state === 'cancelled';
}
