// Waits that have an end: after a time, or by a signal.

/** The result of `work`. Rejects with the error that `late` makes after `seconds`. */
export async function withTimeLimit<T>(work: PromiseLike<T>, seconds: number, late: () => Error): Promise<T> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(late()), 1000 * seconds);
  try {
    return await untilAborted(work, giveUp.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of `work`, or the reason of `signal` as soon as that is aborted. */
export async function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
