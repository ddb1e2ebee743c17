// What a worker and the process that encodes for it say to each other.
import type { FarmRequest } from '../jobs/farm-request.js';
import type { Assembled, ChunkDone, Planned, StepData, StepKind } from '../jobs/farm-step.js';
import type { FarmRoots } from '../places/places.js';

/** What a machine does the steps of jobs with; nothing of it changes the bytes. */
export interface FarmMachine {
  readonly roots: FarmRoots;
  /** A folder for what only this machine needs; it is removed in the end. */
  readonly scratch: string;
  /** Threads of an encode; default those of the encoder. */
  readonly threads?: number | undefined;
  /** Whether a GPU searches where the plan's estimator has a twin for GPUs. */
  readonly gpu?: boolean | undefined;
}

/** One step to do. */
export interface FarmTask {
  readonly kind: StepKind;
  readonly step: StepData;
  readonly request: FarmRequest;
}

/** What a step gives. */
export type StepResult = Planned | ChunkDone | Assembled;

/** How far a step is: frames that are done. */
export interface StepProgress {
  readonly frames: number;
  /** The frame of the input that was read last, from 0. */
  readonly frame: number;
}

/** What the process that encodes answers. It is told of its machine first, then of tasks, one at a time. */
export type FromEncoder =
  | { readonly progress: StepProgress }
  | { readonly warning: string }
  | { readonly result: StepResult }
  | { readonly failure: StepFailure };

/** Why a step has failed. */
export interface StepFailure {
  readonly reason: string;
  /** The frame that was read last; undefined if none was. */
  readonly frame?: number | undefined;
  /** True: the request is at fault, so that trying again is of no use. */
  readonly isMistake: boolean;
}
