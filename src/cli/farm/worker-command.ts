// `mpegpu farm worker`: takes steps until it is stopped.
import { WorkerMetrics } from '../../farm/worker/metrics.js';
import { FarmWorker } from '../../farm/worker/worker.js';
import type { FarmWorkerOptions } from '../../farm/worker/worker-options.js';
import type { FlagsOf } from '../flags/flag-table.js';
import { Interruption } from '../interruption.js';
import { writeStandardOutput } from '../standard-output.js';
import { farmOptions } from './farm-place.js';

const DEFAULT_GRACE_SECONDS = 20;

/** Runs a worker until it is interrupted, or has met a job of another version. */
export async function runFarmWorker(flags: FlagsOf<'farm worker'>): Promise<void> {
  const { root = '.', s3, threads, gpu, leaseSeconds, stallSeconds, grace = DEFAULT_GRACE_SECONDS, quiet } = flags;
  const farm = await farmOptions(flags);
  const options: FarmWorkerOptions = {
    ...farm,
    ...{ roots: { file: root, s3 }, threads, gpu },
    ...(leaseSeconds !== undefined && { leaseSeconds }),
    ...(stallSeconds !== undefined && { stallSeconds }),
    ...(!quiet && { onMessage: line => void writeStandardOutput(`${line}\n`).catch(() => {}) }),
  };
  await Interruption.during(async ({ stop }) => {
    const metrics = flags.metrics === undefined ? undefined : await WorkerMetrics.start(flags.metrics);
    try {
      const worker = await FarmWorker.start({ ...options, ...(metrics && { onStep: metrics.onStep }) });
      const where = metrics ? `; metrics at port ${metrics.port}` : '';
      if (!quiet) await writeStandardOutput(`the worker is ready${where}\n`);
      await Promise.race([aborted(stop), worker.refused]).finally(() => worker.stop(1000 * grace));
    } finally {
      await metrics?.close();
    }
  }, `stopping: what runs may end within ${grace} s, then it is given back (interrupt again to leave at once)`);
}

/** Resolves when a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
