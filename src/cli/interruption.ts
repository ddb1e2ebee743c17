import { Interrupted, printWarning } from './failure.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Ctrl-C (SIGINT) and SIGTERM while something runs: the first, which is acknowledged on standard error, asks it to stop and
 * keep what there is, the second to give up at once; a third has its usual effect.
 */
export class Interruption {
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();

  private constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Begins to listen; end it with `release`. */
  static listen(): Interruption {
    return new Interruption();
  }

  /** Aborted by the first signal. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborted by the second signal. */
  get abort(): AbortSignal {
    return this.#abort.signal;
  }

  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (): void => {
    if (!this.#stop.signal.aborted) {
      printWarning('stopping: what has been read is being finished (interrupt again to give up)');
      this.#stop.abort(new Interrupted('interrupted'));
    } else {
      this.#abort.abort(new Interrupted('interrupted twice: nothing was kept'));
      this.release();
    }
  };
}
