// A work of a thread, as whoever asks it sees it: tasks go by a port, and replies come back.
import { OpenTasks } from './open-tasks.js';
import type { HostedThread, NumberedReply, NumberedTask, ThreadEntry, WorkStart } from './thread-messages.js';

/** On Node, ports keep a process running, or not. */
type CountedPort = MessagePort & { ref?(): void; unref?(): void };

/** Sends tasks by a port whose other end the thread has, or will have. */
export class PortWork implements HostedThread {
  readonly #port: CountedPort;
  readonly #open = new OpenTasks();
  #onDeath: (reason: unknown) => void;
  #hasDied = false;
  /** Whether the thread has ever replied. */
  hasReplied = false;

  /**
   * Has the thread's entry start with the data of `start`; undefined where it gets them otherwise. `onDeath` is told
   * why the thread has ended, or could not start.
   */
  constructor(
    port: CountedPort,
    start: Pick<ThreadEntry, 'data' | 'handedOver'> | undefined,
    onDeath: (reason: unknown) => void,
  ) {
    this.#port = port;
    this.#onDeath = onDeath;
    port.onmessage = ({ data: reply }: MessageEvent<NumberedReply>) => {
      this.hasReplied = true;
      // An idle thread does not keep the process running.
      if (this.#open.settle(reply) === 0) port.unref?.();
    };
    port.onmessageerror = () => this.die(new Error('a reply of it cannot be read'));
    port.unref?.();
    if (!start) return;
    const { data, handedOver = [] } = start;
    port.postMessage({ data } satisfies WorkStart, handedOver as Transferable[]);
  }

  /** Whether the thread runs, and all tasks are replied to. */
  get isIdle(): boolean {
    return !this.#hasDied && this.#open.isEmpty;
  }

  run: HostedThread['run'] = (message, handedOver) =>
    this.#open.add(number => {
      this.#port.postMessage({ number, message } satisfies NumberedTask, handedOver);
      this.#port.ref?.();
    });

  /** The thread has ended. */
  die(reason: unknown): void {
    this.#hasDied = true;
    this.#port.close();
    this.#open.reject(reason);
    this.#onDeath(reason);
  }

  /** Ends the work, and not the thread. */
  async end(): Promise<void> {
    this.#onDeath = () => {};
    this.#port.close();
    this.#open.reject(new Error('it was ended'));
  }
}
