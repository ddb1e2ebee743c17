// How a worker of a farm is started.
import { OptionError } from '../../errors.js';
import { requireKnownNames } from '../../given-options.js';
import type { FarmMachine } from '../steps/farm-task.js';
import type { StepOutcome } from './step-outcome.js';

/**
 * How a worker is started. Its functions are not waited for, and no step fails by them: if one throws or rejects, the
 * process emits a warning.
 */
export interface FarmWorkerOptions extends Omit<FarmMachine, 'scratch'> {
  /** URL of the queue: `redis://...` or `postgres://...`. */
  readonly url: string;
  /** Name of the queue; default `mpegpu`. */
  readonly queue?: string | undefined;
  /** A worker that the queue has not heard of for this time loses its step; default 30. */
  readonly leaseSeconds?: number | undefined;
  /** A step without progress for this time is ended, and tried elsewhere; default 300. */
  readonly stallSeconds?: number | undefined;
  /** How long a worker rests after a failed step, so that others take it; longer after each further one; default 5. */
  readonly restSeconds?: number | undefined;
  /** Version of the worker; default: that of this package. Jobs of another version are refused. */
  readonly version?: string | undefined;
  /** Takes lines about what the worker does. */
  readonly onMessage?: ((message: string) => void) | undefined;
  /** Called after each step. */
  readonly onStep?: ((outcome: StepOutcome) => void) | undefined;
}

const NAMES = Object.keys({
  roots: true,
  threads: true,
  gpu: true,
  url: true,
  queue: true,
  leaseSeconds: true,
  stallSeconds: true,
  restSeconds: true,
  version: true,
  onMessage: true,
  onStep: true,
} satisfies Record<keyof FarmWorkerOptions, true>);

/** Queues have this name unless another one is given. */
export const DEFAULT_QUEUE = 'mpegpu';
const DEFAULT_LEASE_SECONDS = 30;
const DEFAULT_STALL_SECONDS = 300;
const DEFAULT_REST_SECONDS = 5;
const MAX_REST_SECONDS = 60;

/** The times of a worker, in milliseconds. */
export interface WorkerTimes {
  readonly leaseMs: number;
  readonly stallMs: number;
  /** How long to wait after so many failures, one after another. */
  readonly restMs: (failures: number) => number;
}

/** The times of a worker. Throws an OptionError for one that is none, and for an option that does not exist. */
export function workerTimes(options: FarmWorkerOptions): WorkerTimes {
  requireKnownNames(options, NAMES, 'FarmWorkerOptions');
  const { leaseSeconds = DEFAULT_LEASE_SECONDS, stallSeconds = DEFAULT_STALL_SECONDS } = options;
  const { restSeconds = DEFAULT_REST_SECONDS } = options;
  for (const [name, value] of Object.entries({ leaseSeconds, stallSeconds })) {
    if (value >= 1 && Number.isFinite(value)) continue;
    throw new OptionError(name, named => `${named(name)} is ${value}; legal: 1 or more seconds`);
  }
  return {
    leaseMs: 1000 * leaseSeconds,
    stallMs: 1000 * stallSeconds,
    restMs: failures => 1000 * Math.min(restSeconds * 2 ** (failures - 1), MAX_REST_SECONDS),
  };
}
