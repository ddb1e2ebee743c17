// Starts a thread of a browser: a module worker. Takes the place of node/start-thread.ts in what browsers load.
import type { HostedThread, TaskReply } from '../thread-messages.js';
import type { NumberedReply, NumberedTask, WorkerStart } from './worker-messages.js';

/** Whom to tell the reply to a task. */
interface OpenTask {
  readonly resolve: (reply: TaskReply<unknown>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Starts a thread that does the work called `entry`. `onDeath` is told why it has ended, or could not start. */
export function startThread(entry: string, data: unknown, onDeath: (reason: unknown) => void): HostedThread {
  const open = new Map<number, OpenTask>();
  let next = 0;
  // Bundlers look for just this expression. The file lies beside the bundle that this one becomes a part of.
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: `mpegpu ${entry}` });
  const die = (reason: Error): void => {
    worker.terminate();
    for (const { reject } of open.values()) reject(reason);
    open.clear();
    onDeath(reason);
  };
  worker.onmessage = ({ data: { number, reply } }: MessageEvent<NumberedReply>) => {
    open.get(number)?.resolve(reply);
    open.delete(number);
  };
  worker.onmessageerror = () => die(new Error('a reply of it cannot be read'));
  worker.onerror = event => {
    event.preventDefault();
    die(new Error(event.message || 'its script did not load'));
  };
  worker.postMessage({ entry, data } satisfies WorkerStart);
  return {
    run: (message, handedOver) =>
      new Promise((resolve, reject) => {
        const number = next++;
        worker.postMessage({ number, message } satisfies NumberedTask, handedOver);
        open.set(number, { resolve, reject });
      }),
    end: async () => {
      worker.terminate();
      for (const { reject } of open.values()) reject(new Error('it was ended'));
      open.clear();
    },
  };
}

/** The name of an entry: what worker.js finds its work by. */
export function threadEntry(_here: string, name: string): string {
  return name;
}
