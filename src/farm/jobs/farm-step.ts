// The steps of a job, as the queue holds them: names, places, and nothing of the frames.
import type { FarmRequest } from './farm-request.js';

/** What a step does. */
export type StepKind =
  /** Reads all frames, makes the plan, prepares the sound. */
  | 'plan'
  /** The first pass of a chunk. */
  | 'measure'
  /** Makes the plan of the second pass. */
  | 'budget'
  /** Codes a chunk. */
  | 'encode'
  /** Joins the chunks. */
  | 'assemble';

/** What a step needs to know. */
export interface StepData {
  /** Version of the mpegpu that submitted the job: other versions may give other bytes. */
  readonly version: string;
  /** Name of the job. */
  readonly job: string;
  /** Tells one run of the job from a later one. */
  readonly run: string;
  readonly input: string;
  readonly output: string;
  readonly store: string;
  /** Identity of the plan; undefined for the step that makes it. */
  readonly plan?: string;
  /** Index of the chunk; undefined for steps that are not of one chunk. */
  readonly index?: number;
  /** Name of the sound in the store; undefined if there is none. */
  readonly sound?: string;
}

/** How a job ended before its time. */
export interface EarlyEnd {
  readonly state: 'cancelled' | 'failed';
  readonly reason: string;
}

/** The first step of a job, which stands for the job itself. */
export interface JobRecord extends StepData {
  readonly request: FarmRequest;
  /** Seconds since 1970. */
  readonly submitted: number;
  readonly ended?: EarlyEnd;
}

/** What planning, or budgeting, gives. */
export interface Planned {
  /** Identity of the plan. */
  readonly plan: string;
  readonly chunks: number;
  readonly frames: number;
  /** Whether a first pass of all chunks is next. */
  readonly needsFirstPass: boolean;
  readonly sound?: string;
}

/** What a chunk's step gives. */
export interface ChunkDone {
  readonly frames: number;
  /** Length of what is kept in the store. */
  readonly bytes: number;
  /** True: it was there already. */
  readonly wasThere: boolean;
  /** Seconds that the coding took. */
  readonly seconds: number;
}

/** What assembling gives. */
export interface Assembled {
  readonly frames: number;
  /** Bits of the video stream. */
  readonly bits: number;
  /** PSNR of all samples, in dB. */
  readonly psnr: number;
}

/** The id of a step in its queue. The first step has the name of the job. */
export function stepId(kind: StepKind, { job, run, index }: Pick<StepData, 'job' | 'run' | 'index'>): string {
  if (kind === 'plan') return job;
  return [job, run, kind, ...(index === undefined ? [] : [index])].join('-');
}

/** Where a plan lies in the store. */
export function planObject(plan: string): string {
  return `plans/${plan}.json`;
}

/** Where a coded chunk, or its first pass, lies in the store. The name says all that decides its contents. */
export function chunkObject(kind: 'encode' | 'measure', { version, plan, index }: StepData): string {
  return `chunks/${plan}-${version}/${index}.${kind === 'encode' ? 'chunk' : 'json'}`;
}
