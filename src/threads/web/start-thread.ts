// Starts a thread of a browser: a module worker. Takes the place of node/start-thread.ts in what browsers load.
import { PortWork } from '../port-work.js';
import type { HostedThread, LentThreads, ThreadEntry, ThreadKeeper } from '../thread-messages.js';
import { workerStarter } from './worker-starter.js';

/** Browsers load nothing to start threads. */
export async function loadThreads(): Promise<void> {}

/** Starts a thread that does the work called `entry`. `onDeath` is told why it has ended, or could not start. */
export async function startThread(
  { entry, data, handedOver, workerUrl }: ThreadEntry,
  onDeath: (reason: unknown) => void,
): Promise<HostedThread> {
  const { port1: asked, port2: tasks } = new MessageChannel();
  const work = new PortWork(asked, undefined, reason => {
    end();
    onDeath(reason);
  });
  const onError = (message: string) => work.die(new Error(work.hasReplied ? message : startError(workerUrl, message)));
  const end = workerStarter.start({ entry, data, tasks, handedOver }, workerUrl, onError);
  return {
    run: work.run,
    end: async () => {
      end();
      await work.end();
      const { endMs } = workerStarter;
      if (endMs > 0) await new Promise(resolve => setTimeout(resolve, endMs));
    },
  };
}

/** Why a worker does not start. Browsers say nothing of a script that they do not find, or may not load. */
function startError(workerUrl: string | undefined, message: string): string {
  if (message) return message;
  if (workerUrl !== undefined) return `the worker ${workerUrl} did not load`;
  return 'mpegpu/worker.js did not load from beside the bundle (worker-src?); the option workerUrl names another place';
}

/** A worker that another worker is to ask has to be started by that one. */
export function lendThreads(_wanted: () => object, _keeper?: ThreadKeeper): LentThreads | undefined {
  return undefined;
}

/** The name of an entry: what worker.js finds its work by. */
export function threadEntry(_here: string, name: string): string {
  return name;
}
