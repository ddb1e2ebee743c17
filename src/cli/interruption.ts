// Ctrl-C, SIGTERM and SIGHUP: the first asks a command to stop, the second gives up.
import type { Stops } from '../encode-files/stops.js';
import { orAborted } from '../media/or-aborted.js';
import { Interrupted, printWarning } from './failure.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ctrl-C (SIGINT), SIGTERM and SIGHUP while a command runs. The first one asks it to stop and to keep what is done,
 * which standard error confirms. The second one gives up at once, whatever the command is waiting for.
 */
export class Interruption implements Stops {
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();

  readonly #note: string;

  private constructor(note: string) {
    this.#note = note;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
    process.on('exit', this.#onExit);
  }

  /**
   * Listens while `run` runs; returns its result. Throws Interrupted at the second signal: `run` is then left alone,
   * and must change nothing any more; what it was doing may keep the process alive. `note` is said at the first signal.
   */
  static async during<Result>(
    run: (interruption: Interruption) => Promise<Result>,
    note = 'stopping: what has been read is being finished (interrupt again to give up)',
  ): Promise<Result> {
    const interruption = new Interruption(note);
    try {
      const result = await orAborted(run(interruption), interruption.abort);
      interruption.#release();
      return result;
    } catch (error) {
      // After an interruption the process is about to end, and further signals change nothing.
      if (!(error instanceof Interrupted)) interruption.#release();
      throw error;
    }
  }

  /** Aborted by the first signal. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborted by the second signal, or when the process ends before the command does. */
  get abort(): AbortSignal {
    return this.#abort.signal;
  }

  /** The result of something that may never come. The first signal ends the wait for it with the signal's reason. */
  waitFor<Result>(result: Promise<Result>): Promise<Result> {
    return orAborted(result, this.stop);
  }

  #release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    process.off('exit', this.#onExit);
  }

  readonly #onSignal = (): void => {
    if (!this.#stop.signal.aborted) {
      printWarning(this.#note);
      this.#stop.abort(new Interrupted('interrupted'));
    } else {
      this.#abort.abort(new Interrupted('interrupted twice: nothing was kept'));
    }
  };

  readonly #onExit = (): void => this.#abort.abort(new Error('the process has ended'));
}
