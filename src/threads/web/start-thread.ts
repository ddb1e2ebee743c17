// Starts a thread of a browser: a module worker. Takes the place of node/start-thread.ts in what browsers load.
import { OpenTasks } from '../open-tasks.js';
import type {
  HostedThread,
  LentThreads,
  NumberedReply,
  NumberedTask,
  ThreadEntry,
  ThreadKeeper,
} from '../thread-messages.js';
import type { WorkerStart } from './worker-messages.js';

/** Browsers load nothing to start threads. */
export async function loadThreads(): Promise<void> {}

/** Starts a thread that does the work called `entry`. `onDeath` is told why it has ended, or could not start. */
export async function startThread(
  { entry, data, workerUrl }: ThreadEntry,
  onDeath: (reason: unknown) => void,
): Promise<HostedThread> {
  const open = new OpenTasks();
  let hasReplied = false;
  const worker = startWorker(workerUrl);
  const die = (reason: Error): void => {
    worker.terminate();
    open.reject(reason);
    onDeath(reason);
  };
  worker.onmessage = ({ data }: MessageEvent<NumberedReply>) => {
    hasReplied = true;
    open.settle(data);
  };
  worker.onmessageerror = () => die(new Error('a reply of it cannot be read'));
  worker.onerror = event => {
    event.preventDefault();
    die(new Error(hasReplied ? event.message : startError(workerUrl, event.message)));
  };
  worker.postMessage({ entry, data } satisfies WorkerStart);
  return {
    run: (message, handedOver) =>
      open.add(number => worker.postMessage({ number, message } satisfies NumberedTask, handedOver)),
    end: async () => {
      worker.terminate();
      open.reject(new Error('it was ended'));
      if (isNested) await new Promise(resolve => setTimeout(resolve, NESTED_END_MS));
    },
  };
}

function startWorker(workerUrl: string | undefined): Worker {
  if (typeof Worker === 'undefined') throw new Error('there are no workers here');
  if (workerUrl !== undefined) return new Worker(workerUrl, { type: 'module', name: 'mpegpu' });
  // Bundlers look for just this expression (docs/browser.md says which path each takes).
  return new Worker(new URL('mpegpu/worker.js', import.meta.url), { type: 'module', name: 'mpegpu' });
}

/** Whether workers that are started here are started by a worker. */
const isNested = typeof document === 'undefined';

/**
 * Time for such a worker to be gone, in milliseconds. If the worker that has started it is ended before that, Chromium
 * may leave both running, even when the page has gone.
 */
const NESTED_END_MS = 100;

/** Why a worker does not start. Browsers say nothing of a script that they do not find, or may not load. */
function startError(workerUrl: string | undefined, message: string): string {
  if (message) return message;
  if (workerUrl !== undefined) return `the worker ${workerUrl} did not load`;
  return 'mpegpu/worker.js did not load from beside the bundle; the option workerUrl names another place';
}

/** A worker that another worker is to ask has to be started by that one. */
export function lendThreads(_wanted: () => object, _keeper?: ThreadKeeper): LentThreads | undefined {
  return undefined;
}

/** The name of an entry: what worker.js finds its work by. */
export function threadEntry(_here: string, name: string): string {
  return name;
}
