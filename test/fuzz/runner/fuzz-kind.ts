// What a kind of fuzzing is: how its cases are made, and what must hold of one.
import type fc from 'fast-check';

/** How a case went: it was done and is right, or it was refused with an error that says why. */
export type Outcome = 'right' | 'refused';

/** A kind of fuzzing. Its cases are plain JSON, so that one can be given on a command line. */
export interface FuzzKind<Case> {
  readonly cases: fc.Arbitrary<Case>;
  /** Its part of a run of all kinds: in percent of the cases, or of the time. */
  readonly percent: number;
  /** How long a case may take before it counts as one that hangs, on a busy machine too. */
  readonly limitSeconds: number;
  /** Whether it searches on the GPU. */
  readonly needsGpu?: true;
  /** Runs a case in an empty folder. Throws an error that says what is wrong. */
  check(given: Case, folder: string): Promise<Outcome>;
}

/** Throws an error with this message. */
export function fail(message: string): never {
  throw new Error(message);
}

/** Throws unless `isTrue`. */
export function require(isTrue: boolean, message: () => string): void {
  if (!isTrue) fail(message());
}
