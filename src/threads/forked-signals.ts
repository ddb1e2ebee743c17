// One signal for each of many who listen.

/** `count` signals that are aborted with `signal`: Node warns of a signal that more than ten listen to. */
export function forkedSignals(signal: AbortSignal | undefined, count: number): AbortSignal[] {
  const forks = Array.from({ length: count }, () => new AbortController());
  const abortAll = () => {
    for (const fork of forks) fork.abort(signal?.reason);
  };
  if (signal?.aborted) abortAll();
  else signal?.addEventListener('abort', abortAll, { once: true });
  return forks.map(fork => fork.signal);
}
