// How an encode is stopped from outside, and the errors that say so.
import type { AbortSignalType } from '../platform-types.js';

/** Asks an encode to stop. */
export interface Stops {
  /** Aborted: no more is read, and what was coded is kept. */
  readonly stop: AbortSignalType;
  /** Aborted: all is given up at once, and nothing is kept. */
  readonly abort: AbortSignalType;
}

/** The user stopped the run. The message says what was kept. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** A damaged input, where the user has asked for none: nothing was kept. The message says what is damaged. */
export class StrictFailure extends Error {
  override readonly name = 'StrictFailure';
  constructor(damage: Error) {
    super(damage.message, { cause: damage });
  }
}
