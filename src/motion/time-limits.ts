// Waits that have an end: for an estimator to be made, for its answers, for its closing.
import { UnsupportedError } from '../errors.js';
import { untilAborted, withTimeLimit } from '../threads/time-limit.js';
import type { MotionEstimator } from './estimator.js';

/** Time to make an estimator, in seconds: a GPU's shaders are compiled in it. */
export const START_LIMIT_S = 120;
/** Time without any answer of an estimator that has been asked, in seconds: a large picture may take minutes. */
export const ANSWER_LIMIT_S = 600;
/** Time to close an estimator, in seconds. */
export const CLOSE_LIMIT_S = 5;
/** Time for a GPU to finish its open searches, in seconds: to end its thread before may crash the driver. */
export const GPU_CLOSE_LIMIT_S = 60;

/**
 * The estimator that `make` makes. Gives up when `signal` is aborted, with its reason, or after START_LIMIT_S, with an
 * UnsupportedError; `make` is told by the signal that it gets, and an estimator that comes later is closed.
 */
export async function makeWithinLimit(
  name: string,
  signal: AbortSignal | undefined,
  make: (giveUp: AbortSignal) => Promise<MotionEstimator>,
): Promise<MotionEstimator> {
  signal?.throwIfAborted();
  const giveUp = new AbortController();
  const onAbort = () => giveUp.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  const making = make(giveUp.signal);
  try {
    const late = () => new UnsupportedError(`the estimator ${name} was not ready within ${START_LIMIT_S} s`);
    return await withTimeLimit(untilAborted(making, giveUp.signal), START_LIMIT_S, late);
  } catch (error) {
    giveUp.abort(error);
    making.then(estimator => estimator.close()).catch(() => {}); // nobody waits for it any more
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
