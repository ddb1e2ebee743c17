// Who starts the workers that a page, or a worker, asks for: it does so itself, or the one that has started it.
import { messageOf } from '../../errors.js';
import type { StartRequest, WorkerStart } from './worker-messages.js';

/** Time for a worker of a worker to be gone, in milliseconds: the one that has started it may be ended then. */
const NESTED_END_MS = 100;

/**
 * Starts workers. All workers of an encode are started in one place, so that none of them has workers of its own: when
 * such a worker and its own ones end within a tenth of a second, Chromium may leave both running, even when the page
 * has gone.
 */
class WorkerStarter {
  #port: MessagePort | undefined;

  /** Workers are asked for by this port from now on. */
  askBy(port: MessagePort): void {
    this.#port = port;
  }

  /** How long a worker that is started here takes to be gone, in milliseconds. */
  get endMs(): number {
    return this.#port || typeof document !== 'undefined' ? 0 : NESTED_END_MS;
  }

  /** Starts a worker; what is returned ends it. `onError` is told of its errors. */
  start(start: StartRequest['start'], workerUrl: string | undefined, onError: (message: string) => void): () => void {
    if (!this.#port) return startHere(start, workerUrl, onError);
    const { port1, port2: control } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<string>) => onError(data);
    this.#port.postMessage({ start, workerUrl, control } satisfies StartRequest, [...portsOf(start), control]);
    return () => port1.postMessage(0);
  }
}

/** The starter of this page or worker. */
export const workerStarter = new WorkerStarter();

/** Starts a worker, and others when it asks for them; they end with it. */
function startHere(
  start: StartRequest['start'],
  workerUrl: string | undefined,
  onError: (message: string) => void,
): () => void {
  const worker = newWorker(workerUrl);
  worker.onerror = event => {
    event.preventDefault();
    onError(event.message);
  };
  const { port1: requests, port2: starter } = new MessageChannel();
  const ends = [() => worker.terminate(), () => requests.close()];
  requests.onmessage = ({ data: { start, workerUrl, control } }: MessageEvent<StartRequest>) => {
    const onError = (message: string) => control.postMessage(message);
    try {
      const end = startHere(start, workerUrl, onError);
      control.onmessage = end;
      ends.push(end);
    } catch (error) {
      onError(messageOf(error));
    }
  };
  worker.postMessage({ ...start, starter } satisfies WorkerStart, [...portsOf(start), starter]);
  return () => {
    for (const end of ends) end();
  };
}

/** The ports that lie in a start. */
function portsOf({ tasks, handedOver = [] }: StartRequest['start']): MessagePort[] {
  return [tasks, ...handedOver];
}

function newWorker(workerUrl: string | undefined): Worker {
  if (typeof Worker === 'undefined') throw new Error('there are no workers here');
  if (workerUrl !== undefined) return new Worker(workerUrl, { type: 'module', name: 'mpegpu' });
  // Bundlers look for just this expression (docs/browser.md says which path each takes).
  return new Worker(new URL('mpegpu/worker.js', import.meta.url), { type: 'module', name: 'mpegpu' });
}
