// Starts a thread of Node: a pool of one.
import { fileURLToPath } from 'node:url';
import { SHARE_ENV } from 'node:worker_threads';
import type { HostedThread, TaskMessage, TaskReply, ThreadEntry } from '../thread-messages.js';

/** Tasks that the pool hands to a thread at a time: more than are ever open, so that the thread sees all. */
const MAX_TASKS = 256;

/** The part of a thread's heap for what has just been made, in MiB. */
const YOUNG_GENERATION_MIB = 3;

/** What the pool loads; it loads the entry. */
const LOADER = threadEntry(import.meta.url, 'thread-loader.cjs');

/**
 * Starts a thread that runs the file `entry`, whose default export is made by `answerMessages`. `onDeath` is told why
 * the thread has ended, or could not start.
 */
export async function startThread(
  { entry, data }: ThreadEntry,
  onDeath: (reason: unknown) => void,
): Promise<HostedThread> {
  // Whoever starts no threads does not load it.
  const { Piscina } = await import('piscina');
  const pool = new Piscina<TaskMessage, TaskReply<unknown>>({
    filename: LOADER,
    workerData: { entry, data },
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: MAX_TASKS,
    recordTiming: false,
    // Short-lived arrays are freed sooner, and a thread's heap takes a few MiB less.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    // A thread that sleeps in Atomics.wait hears nothing from its GPU, nor from threads of its own.
    atomics: 'disabled',
    // A GPU's thread sets variables that native code reads, which sees those of the process only.
    env: SHARE_ENV,
  });
  let isEnding = false;
  pool.on('error', onDeath);
  // The pool would replace the thread, or keep its tasks for one that cannot start. Open tasks know a better reason.
  pool.on('workerDestroy', () => {
    // A `destroy` in this event may never resolve. A second one, after another, may replace the thread that exits.
    if (!isEnding) void pool.destroy();
    setImmediate(() => onDeath(new Error('it ended between two tasks')));
  });
  return {
    run: (message, handedOver) => pool.run(message, { transferList: handedOver }),
    end: () => {
      isEnding = true;
      return pool.destroy();
    },
  };
}

/**
 * The entry `name`: the built file of that name beside the module whose import.meta.url is `here`. Node loads no
 * TypeScript, so a test that runs the sources takes it from dist/.
 */
export function threadEntry(here: string, name: string): string {
  const built = here.endsWith('.ts') ? here.replace(/\/src\/(?!.*\/src\/)/, '/dist/') : here;
  return fileURLToPath(new URL(name, built));
}
