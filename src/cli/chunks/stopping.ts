// Work of which nothing is kept when it is interrupted.

import { signalOfTerminal } from '../../encode-files/open-input.js';
import { Interrupted } from '../failure.js';
import { Interruption } from '../interruption.js';

/** What a run listens to. */
export interface Stopping {
  readonly interruption: Interruption;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The result of `run`. The first Ctrl-C aborts its signal; Interrupted is thrown then. */
export function untilStopped<Result>(run: (stopping: Stopping) => Promise<Result>): Promise<Result> {
  return Interruption.during(async interruption => {
    const signal = AbortSignal.any([interruption.stop, interruption.abort]);
    try {
      return await run({ interruption, signal });
    } catch (error) {
      await signalOfTerminal(interruption.stop);
      if (!interruption.stop.aborted) throw error;
      throw new Interrupted('interrupted: nothing was kept', { cause: error });
    }
  }, 'stopping: nothing is kept');
}
