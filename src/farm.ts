// `mpegpu/farm`: encodes on more than one machine, by way of a queue in Redis or PostgreSQL.

export { Farm, type FarmOptions } from './farm/farm-client.js';
export {
  DEFAULT_STORE,
  type FarmRequest,
  jobNameOf,
  type RequestedOptions,
  type RequestedReading,
  type RequestedSound,
} from './farm/jobs/farm-request.js';
export { isOver, type JobState, type JobStatus } from './farm/jobs/job-status.js';
export type { FarmRoots } from './farm/places/places.js';
export type { StepOutcome } from './farm/worker/step-outcome.js';
export { FarmWorker } from './farm/worker/worker.js';
export type { FarmWorkerOptions } from './farm/worker/worker-options.js';
