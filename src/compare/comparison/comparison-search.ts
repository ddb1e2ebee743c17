import { yieldToEventLoop } from '../../encoder/event-loop.js';
import type { MotionField } from '../../motion/estimator.js';
import { createEstimator } from '../../motion/registry.js';
import { compareFields } from '../quality/field-agreement.js';
import { type SearchedPair, searchPairs } from '../study/motion-sequence.js';
import { MeanDifference, studyPair } from '../study/motion-study.js';
import type { ComparisonJob } from './comparison.js';
import { parametersOf } from './comparison-parameters.js';

/** What an estimator's fields on the source pictures are worth, over all pairs of neighbours. */
export interface FieldStudy {
  readonly pairs: number;
  /** Mean absolute luma difference of a pel of the display area, without and with full-pel motion compensation. */
  readonly meanDifferenceBefore: number;
  readonly meanDifferenceAfter: number;
  /** Share of blocks, 0..1, whose best vector is that of the CPU's full search over the same range. */
  readonly agreement: number;
}

/** The fields of the full search, one a pair: what the others are to agree with. Only their best vectors are kept. */
export async function fullSearchFields(job: ComparisonJob): Promise<MotionField[]> {
  const fields: MotionField[] = [];
  await eachPair(job, 'cpu-full', ({ field }) => fields.push(bestVectors(field)));
  return fields;
}

/** Searches every pair once, for what the fields are worth. Throws InputError where they break the contract. */
export async function studyFields(
  job: ComparisonJob,
  estimator: string,
  full: readonly MotionField[],
): Promise<FieldStudy> {
  const { width, height } = job.frames[0]!;
  const before = new MeanDifference();
  const after = new MeanDifference();
  let blocks = 0;
  let equal = 0;
  await eachPair(job, estimator, ({ pair, current, reference, field }) => {
    const study = studyPair(current, reference, field);
    before.add(study.before);
    after.add(study.after);
    const agreement = compareFields(field, full[pair]!, width, height);
    blocks += agreement.blocks;
    equal += agreement.equal;
  });
  const pels = width * height;
  return {
    pairs: full.length,
    meanDifferenceBefore: before.mean().sad.y / pels,
    meanDifferenceAfter: after.mean().sad.y / pels,
    agreement: equal / blocks,
  };
}

/** Mean time of a search in milliseconds, one pair at a time, uploads and the way back included. */
export async function timeSearch(job: ComparisonJob, estimator: string): Promise<number> {
  let sumMs = 0;
  await eachPair(job, estimator, ({ searchMs }) => {
    sumMs += searchMs;
  });
  return sumMs / (job.frames.length - 1);
}

/** Makes the estimator anew, in this thread, and has it search all pairs, one after another. */
async function eachPair(job: ComparisonJob, choice: string, take: (pair: SearchedPair) => void): Promise<void> {
  const { kernels } = job.encoder;
  const { estimator } = await createEstimator(choice, parametersOf(job), kernels === undefined ? {} : { kernels });
  try {
    const pairs = searchPairs({ frames: job.frames, reference: 'previous', estimator });
    for (;;) {
      const next = await unlessAborted(pairs.next(), job.signal);
      if (next.done) return;
      take(next.value);
      // A CPU search never lets go of the thread by itself, and a Ctrl-C has to come through.
      await yieldToEventLoop();
      job.signal?.throwIfAborted();
    }
  } finally {
    await estimator.close();
  }
}

/** What `work` gives; rejects with the reason of an abort at once, as nobody waits for an estimator that hangs. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function bestVectors(field: MotionField): MotionField {
  const { candidatesPerBlock: step } = field;
  const blocks = field.blockColumns * field.blockRows;
  return {
    ...field,
    candidatesPerBlock: 1,
    dx: Int16Array.from({ length: blocks }, (_, block) => field.dx[block * step]!),
    dy: Int16Array.from({ length: blocks }, (_, block) => field.dy[block * step]!),
    cost: Uint32Array.from({ length: blocks }, (_, block) => field.cost[block * step]!),
  };
}
