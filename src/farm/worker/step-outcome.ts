// How a step ended, in figures and in words.
import { counted } from '../../counted.js';
import type { StepData, StepKind } from '../jobs/farm-step.js';
import type { StepResult } from '../steps/farm-task.js';

/** How a step ended on a worker. */
export interface StepOutcome {
  readonly kind: StepKind;
  /** `reused`: what it makes was there; `skipped`: its job is over; `returned`: the worker was stopped. */
  readonly outcome: 'done' | 'reused' | 'failed' | 'skipped' | 'returned';
  readonly seconds: number;
  /** Coded, read or assembled. */
  readonly frames: number;
}

/** A step in words: `chunk 3 of job 0123456789abcdef`. */
export function stepInWords(kind: StepKind, { job, index }: StepData): string {
  const what = {
    plan: 'plan',
    measure: `first pass of chunk ${index}`,
    budget: 'budgets',
    encode: `chunk ${index}`,
    assemble: 'assembly',
  }[kind];
  return `${what} of job ${job}`;
}

/** What a step has given, in words. */
export function resultInWords(result: StepResult, seconds: number): string {
  const took = `${counted(result.frames, 'frame')} in ${seconds.toFixed(2)} s`;
  if ('wasThere' in result) return result.wasThere ? 'was there already' : `${took}, ${result.bytes} bytes`;
  return 'chunks' in result ? `${took}, ${counted(result.chunks, 'chunk')}` : `${took}, ${result.bits} bits`;
}
