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

/** How it went. */
export type CaseReply = { readonly outcome: Outcome } | { readonly failure: string };
