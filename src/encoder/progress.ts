// How far an encode has come: its parts wait for each other here, and stop together when one of them fails.

const AT_ONCE = Promise.resolve();

/** The progress of an encode. Whoever changes something that others may wait for calls `notify`. */
export class Progress {
  /** True: all frames are planned, and no others will come. */
  isPlanned = false;
  readonly #signal: AbortSignal | undefined;
  readonly #failed = new AbortController();
  /** Those who wait: each looks at what has changed, and returns whether it need not wait any more. */
  #waiting: (() => boolean)[] = [];
  #isNotifying = false;
  #failure: { readonly reason: unknown } | undefined;
  #isDone = false;

  /** An abort of `signal` is a failure, until the encode is done. */
  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted) this.#onAbort();
  }

  /** Aborted when the encode fails. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** True: all pictures are coded and the estimator is closed, or the encode has failed. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Has all that wait look at what has changed, in a microtask: once for all changes until then. */
  notify(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    void AT_ONCE.then(this.#onNotified);
  }

  /** Resolves when `isMet` returns true or the encode has failed. */
  async until(isMet: () => boolean): Promise<void> {
    await this.when(isMet, () => {});
  }

  /**
   * What `act` returns, which is called as soon as `isMet` returns true: nobody else can act in between. Undefined
   * after a failure.
   */
  when<T>(isMet: () => boolean, act: () => T): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const look = (): boolean => {
        try {
          if (!this.#failure && !isMet()) return false;
          resolve(this.#failure ? undefined : act());
        } catch (error) {
          reject(error);
        }
        return true;
      };
      if (!look()) this.#waiting.push(look);
    });
  }

  /** The encode has failed, if it is not done; only the first reason counts. */
  fail(reason: unknown): void {
    if (this.#isDone || this.#failure) return;
    this.#failure = { reason };
    this.#ignoreAborts();
    this.#failed.abort(reason);
    this.notify();
  }

  /** Nothing more will happen. */
  end(): void {
    this.#isDone = true;
    this.#ignoreAborts();
    this.notify();
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  throwIfFailed(): void {
    if (this.#failure) throw this.#failure.reason;
  }

  /**
   * The result of `work`, or undefined as soon as the encode has failed: nobody waits for an estimator or a callback
   * after an abort.
   */
  async unlessFailed<T>(work: PromiseLike<T>): Promise<T | undefined> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
      this.notify();
    };
    work.then(settle, settle);
    await this.until(() => isSettled);
    return this.#failure ? undefined : work;
  }

  #ignoreAborts(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  readonly #onNotified = (): void => {
    this.#isNotifying = false;
    // While they look, others may begin to wait.
    const waiting = this.#waiting;
    this.#waiting = [];
    const left = waiting.filter(look => !look());
    this.#waiting = [...left, ...this.#waiting];
  };

  readonly #onAbort = (): void => this.fail(this.#signal?.reason);
}
