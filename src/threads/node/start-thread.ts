// Starts a thread of Node: a pool of one.
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, SHARE_ENV } from 'node:worker_threads';
import { OpenTasks } from '../open-tasks.js';
import type { HostedThread, NumberedTask, ThreadEntry } from '../thread-messages.js';

/** The part of a thread's heap for what has just been made, in MiB. */
const YOUNG_GENERATION_MIB = 3;

/** What the pool loads; it loads the entry. */
const LOADER = threadEntry(import.meta.url, 'thread-loader.cjs');

/** Loads what starts threads. After that, `startThread` starts one before the event loop turns. */
export async function loadThreads(): Promise<void> {
  await import('piscina');
}

/**
 * Starts a thread that runs the file `entry`, whose default export is made by `answerMessages`. `onDeath` is told why
 * the thread has ended, or could not start.
 *
 * The pool has one task: to answer the messages of a port. Tasks are sent there, since the pool takes longer for one
 * than all else that is done to send it, and cannot hand the buffers of an answer over.
 */
export async function startThread(
  { entry, data }: ThreadEntry,
  onDeath: (reason: unknown) => void,
): Promise<HostedThread> {
  // Whoever starts no threads does not load it.
  const { Piscina } = await import('piscina');
  const pool = new Piscina<MessagePort, void>({
    filename: LOADER,
    workerData: { entry, data },
    minThreads: 1,
    maxThreads: 1,
    recordTiming: false,
    // Short-lived arrays are freed sooner, and a thread's heap takes a few MiB less.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    // A thread that sleeps in Atomics.wait hears nothing from its GPU, nor from threads of its own.
    atomics: 'disabled',
    // A GPU's thread sets variables that native code reads, which sees those of the process only.
    env: SHARE_ENV,
  });
  const { port1: port, port2: threadsPort } = new MessageChannel();
  const open = new OpenTasks();
  let isEnding = false;
  const die = (reason: unknown): void => {
    port.close();
    open.reject(reason);
    onDeath(reason);
  };
  pool.on('error', die);
  pool.threads[0]!.on('exit', code => {
    // An error that has ended it is told first.
    if (!isEnding) setImmediate(() => die(new Error(`it exited with code: ${code}`)));
  });
  // The pool would replace the thread, or keep its task for one that cannot start.
  pool.on('workerDestroy', () => {
    // A `destroy` in this event may never resolve. A second one, after another, may replace the thread that exits.
    if (!isEnding) void pool.destroy();
  });
  pool.run(threadsPort, { transferList: [threadsPort] }).catch(die);
  port.on('message', reply => {
    // An idle thread does not keep the process running.
    if (open.settle(reply) === 0) port.unref();
  });
  port.on('messageerror', () => die(new Error('a reply of it cannot be read')));
  port.unref();
  return {
    run: (message, handedOver) =>
      open.add(number => {
        port.postMessage({ number, message } satisfies NumberedTask, handedOver);
        port.ref();
      }),
    end: async () => {
      isEnding = true;
      port.close();
      open.reject(new Error('it was ended'));
      await pool.destroy();
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
