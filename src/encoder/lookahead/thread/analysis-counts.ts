// How many threads analyse pictures beside the lookahead's thread.
import { isBuiltInName, isSlow, needsGpu } from '../../../motion/built-in-estimators.js';
import { canShareMemory } from '../../../threads/shared-memory.js';
import { startDistanceOf } from '../../motion/source-motion.js';
import type { LookaheadSetup } from './lookahead-tasks.js';

/** With fewer coder threads, the lookahead's thread has the time to do it itself. */
const MIN_CODERS = 3;
// None of the following is measured by itself; docs/decisions/lookahead-thread.md has what they give together.
/** From so many coder threads on, a thread for each chain of searches is asked about arrivals, else one for all. */
const MIN_CODERS_FOR_CHAINS = 8;
/** Coder threads to one that finds what decisions are made of: with a search and without. */
const CODERS_PER_SEARCHER = 2;
const CODERS_PER_ANALYST = 5;

/** What the numbers of threads depend on. */
type CountedSetup = Pick<LookaheadSetup, 'threads' | 'rateMode'>;

/** Threads that are asked about arrivals, and about what lies between anchors. */
export interface AnalysisCounts {
  readonly forArrivals: number;
  readonly forDecisions: number;
}

/** The threads beside the coders; undefined for none. `search`: whether they search, too. */
export function analysisCounts(setup: CountedSetup, search: boolean): AnalysisCounts | undefined {
  const { threads } = setup;
  if (threads < MIN_CODERS) return undefined;
  return {
    forArrivals: threads < MIN_CODERS_FOR_CHAINS ? 1 : startDistanceOf(setup),
    forDecisions: Math.ceil(threads / (search ? CODERS_PER_SEARCHER : CODERS_PER_ANALYST)),
  };
}

/** How many of them there will be in any case, so that they can be started before the estimator is made. */
export function surelyNeeded(setup: CountedSetup & Pick<LookaheadSetup, 'estimator'>): number {
  // `auto` may take a GPU, which searches by itself.
  const counts = canShareMemory() ? analysisCounts(setup, searchesHere(setup.estimator)) : undefined;
  return counts ? counts.forArrivals + counts.forDecisions : 0;
}

/** Whether `estimator` is one that each thread can make for itself. */
export function searchesHere(estimator: string): boolean {
  return isBuiltInName(estimator) && !needsGpu(estimator);
}

/** Whether pictures wait for the threads that search them: the lookahead's thread would take longer. */
export function waitsForThreads(estimator: string): boolean {
  return isSlow(estimator);
}

/** Whether an estimator is, or may turn out to be, one that needs a GPU. */
export function mayUseGpu(estimator: string): boolean {
  return estimator === 'auto' || (isBuiltInName(estimator) && needsGpu(estimator));
}
