// Does the step that a task names.
import { assembleJob } from './assemble-step.js';
import { doChunk } from './chunk-step.js';
import type { FarmTask, StepResult } from './farm-task.js';
import { makeBudgetsOf, makePlanOf } from './plan-step.js';
import type { StepContext } from './step-context.js';

/** The result of a task. Throws the errors of what it does. */
export async function doStep({ kind, step, request }: FarmTask, context: StepContext): Promise<StepResult> {
  await context.begin(kind, step.input);
  switch (kind) {
    case 'plan':
      return makePlanOf(request, context);
    case 'measure':
    case 'encode':
      return doChunk(kind, step, context);
    case 'budget':
      return makeBudgetsOf(step, context);
    case 'assemble':
      return assembleJob(step, context);
  }
}
