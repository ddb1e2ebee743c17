// What the fuzzer and the process that runs its cases tell each other.

import type { Outcome } from './fuzz-kind.js';
import type { KindName } from './kinds.js';

/** A case to run. */
export interface CaseTask {
  readonly kind: KindName;
  readonly given: unknown;
  /** A folder for the case alone; it exists and is empty. */
  readonly folder: string;
}

/** How it went. `isFull`: the process holds so much from the cases so far that the next one needs a new process. */
export type CaseReply = { readonly outcome: Outcome; readonly isFull: boolean } | { readonly failure: string };
