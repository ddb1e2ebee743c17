// Ctrl-C and SIGTERM: the first asks a command to stop, the second to give up.
import { Interrupted, printWarning } from './failure.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Ctrl-C (SIGINT) and SIGTERM while a command runs. The first one asks it to stop and to keep what is done, which
 * standard error confirms. The second one asks it to give up at once. A third one ends the process.
 */
export class Interruption {
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();

  private constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Listens while `run` runs; returns its result. */
  static async during<Result>(run: (interruption: Interruption) => Promise<Result>): Promise<Result> {
    const interruption = new Interruption();
    try {
      return await run(interruption);
    } finally {
      interruption.#release();
    }
  }

  /** Aborted by the first signal. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborted by the second signal. */
  get abort(): AbortSignal {
    return this.#abort.signal;
  }

  #release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (): void => {
    if (!this.#stop.signal.aborted) {
      printWarning('stopping: what has been read is being finished (interrupt again to give up)');
      this.#stop.abort(new Interrupted('interrupted'));
    } else {
      this.#abort.abort(new Interrupted('interrupted twice: nothing was kept'));
      this.#release();
    }
  };
}
