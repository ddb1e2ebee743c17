// Ends the wait for something that may never come; what is waited for goes on.
import type { AbortSignalType } from '../platform-types.js';

/** The result, or the reason of the signal if it is aborted before. */
export function orAborted<Result>(result: Promise<Result>, signal: AbortSignalType): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
