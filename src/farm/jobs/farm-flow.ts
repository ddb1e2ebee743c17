// Which steps follow which.
import type { Planned, StepData, StepKind } from './farm-step.js';

/** A step that waits for others. */
export interface Flow {
  readonly kind: StepKind;
  readonly data: StepData;
  /** All of them come before. */
  readonly children: readonly { readonly kind: StepKind; readonly data: StepData }[];
}

/**
 * The steps that follow a plan: its chunks, and after them their assembly. With two passes the first plan is followed
 * by the first pass of its chunks, and after them by the budgets, which make the plan of the second pass.
 */
export function flowAfter(step: StepData, { plan, chunks, needsFirstPass, sound }: Planned): Flow {
  const { version, job, run, input, output, store } = step;
  const data = { version, job, run, input, output, store, plan, ...(sound !== undefined && { sound }) };
  const [kind, ofChunks]: [StepKind, StepKind] = needsFirstPass ? ['budget', 'measure'] : ['assemble', 'encode'];
  const children = Array.from({ length: chunks }, (_, index) => {
    return { kind: ofChunks, data: { version, job, run, input, output, store, plan, index } };
  });
  return { kind, data, children };
}
