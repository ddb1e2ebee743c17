// Searches the frames of a comparison with one estimator, without coding them.

import { yieldToEventLoop } from '../../encoder/event-loop.js';
import { searchParameters } from '../../encoder/motion/search-parameters.js';
import { resolveOptions } from '../../encoder/settings/resolve-options.js';
import { orAborted } from '../../media/or-aborted.js';
import type { MotionField } from '../../motion/estimator.js';
import { type ChosenEstimator, createEstimator } from '../../motion/registry.js';
import { compareFields } from '../motion-fields/field-agreement.js';
import { type SearchedPair, searchPairs } from '../motion-fields/pair-search.js';
import { MeanDifference, studyPair } from '../motion-fields/pair-study.js';
import type { ComparisonJob } from './job.js';
import { bestOf } from './searched-fields.js';

/** Figures of an estimator's motion fields over all pairs of neighbouring source pictures. */
export interface FieldStudy {
  readonly pairs: number;
  /** Mean absolute luma difference of a pel of the display area, before and after full-pel motion compensation. */
  readonly sadPerPelBefore: number;
  readonly sadPerPelAfter: number;
  /** Share of blocks, 0..1, with the same best vector as `cpu-full` over the same range. */
  readonly agreement: number;
}

/**
 * Makes an estimator in this thread, with the parameters that the job's encodes give it. Throws an OptionError for
 * options that no encode accepts, and an UnsupportedError if this machine cannot run it.
 */
export function createComparedEstimator(job: ComparisonJob, choice: string): Promise<ChosenEstimator> {
  const { frames, frameRate, encoder } = job;
  const { width, height } = frames[0]!;
  const parameters = searchParameters(resolveOptions({ ...encoder, width, height, frameRate }));
  return createEstimator(choice, parameters, encoder.kernels === undefined ? {} : { kernels: encoder.kernels });
}

/** The fields of `cpu-full`, one for each pair, with their best vectors only: the others are compared with them. */
export async function fullSearchFields(job: ComparisonJob): Promise<MotionField[]> {
  const fields: MotionField[] = [];
  await eachPair(job, 'cpu-full', ({ field }) => fields.push(bestVectors(field)));
  return fields;
}

/** Searches every pair once and measures the fields. Throws an InputError if a field breaks the contract. */
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
    sadPerPelBefore: before.mean().sad.y / pels,
    sadPerPelAfter: after.mean().sad.y / pels,
    agreement: equal / blocks,
  };
}

/** Mean time of a search in milliseconds, one pair at a time, transfers to and from a GPU included. */
export async function timeSearch(job: ComparisonJob, estimator: string): Promise<number> {
  let sumMs = 0;
  await eachPair(job, estimator, ({ searchMs }) => {
    sumMs += searchMs;
  });
  return sumMs / (job.frames.length - 1);
}

/** Makes the estimator and searches all pairs with it, one after another. */
async function eachPair(job: ComparisonJob, choice: string, take: (pair: SearchedPair) => void): Promise<void> {
  const { estimator } = await createComparedEstimator(job, choice);
  try {
    const pairs = searchPairs({ frames: job.frames, reference: 'previous', estimator });
    for (;;) {
      // An estimator may never answer: an abort ends the wait for it.
      const next = await (job.signal ? orAborted(pairs.next(), job.signal) : pairs.next());
      if (next.done) return;
      take(next.value);
      // A search in this thread blocks the event loop: without a pause no Ctrl-C would be noticed.
      await yieldToEventLoop();
      job.signal?.throwIfAborted();
    }
  } finally {
    await estimator.close();
  }
}

/** The field with its best vectors only. */
function bestVectors(field: MotionField): MotionField {
  const { candidatesPerBlock: step } = field;
  const cost = field.cost.filter((_, i) => i % step === 0);
  return { ...field, candidatesPerBlock: 1, ...bestOf(field), cost };
}
