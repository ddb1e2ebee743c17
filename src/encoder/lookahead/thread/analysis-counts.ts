// How many threads analyse pictures beside the lookahead's thread.
import { isBuiltInName, isSlow, needsGpu } from '../../../motion/built-in-estimators.js';
import { canShareMemory } from '../../../threads/shared-memory.js';
import type { LentCoders } from '../../coders/shared-coders.js';
import type { LookaheadSetup } from './lookahead-tasks.js';

/** With fewer coder threads, the lookahead's thread has the time to analyse pictures itself. */
const MIN_CODERS = 3;
// None of the following is measured by itself; docs/decisions/lookahead-thread.md has what they give together.
/** Coder threads for each thread that is asked about arrivals, and for each that is asked what lies between anchors. */
const WITH_SEARCH = { perArrival: 3, perDecision: 2 };
const WITHOUT_SEARCH = { perArrival: 6, perDecision: 5 };

/** What the numbers of threads depend on. */
type CountedSetup = Pick<LookaheadSetup, 'threads' | 'lentCoders'>;

/** Threads that are asked about arrivals, and about what lies between anchors. */
export interface AnalysisCounts {
  readonly forArrivals: number;
  readonly forDecisions: number;
}

/** The threads beside the coders; undefined for none. `search`: whether they search, too. */
export function analysisCounts({ threads }: CountedSetup, search: boolean): AnalysisCounts | undefined {
  if (threads < MIN_CODERS) return undefined;
  const { perArrival, perDecision } = search ? WITH_SEARCH : WITHOUT_SEARCH;
  const forArrivals = Math.max(1, Math.floor(threads / perArrival));
  return { forArrivals, forDecisions: Math.ceil(threads / perDecision) };
}

/** How many threads will do nothing but analyse, whatever `auto` takes: they can be started early. */
export function surelyNeeded(setup: CountedSetup & Pick<LookaheadSetup, 'estimator'>): number {
  if (!canShareMemory()) return 0;
  const { estimator } = setup;
  // `auto` may take a GPU, which searches by itself.
  const cases = estimator === 'auto' ? [true, false] : [searchesHere(estimator)];
  return Math.min(...cases.map(search => ownThreads(setup, search)));
}

/** How many threads do nothing but analyse. */
function ownThreads(setup: CountedSetup, search: boolean): number {
  const counts = analysisCounts(setup, search);
  if (!counts) return 0;
  return counts.forArrivals + (askedCoders(setup, search) ? 0 : counts.forDecisions);
}

/**
 * The coder threads that are asked what lies between anchors, if they are: where a GPU searches, the questions are too
 * short to wait for a thread that codes.
 */
export function askedCoders(
  { lentCoders }: Pick<LookaheadSetup, 'lentCoders'>,
  search: boolean,
): LentCoders | undefined {
  return search ? lentCoders : undefined;
}

/** Whether `estimator` is one that each thread can make for itself. */
export function searchesHere(estimator: string): boolean {
  return isBuiltInName(estimator) && !needsGpu(estimator);
}

/** Whether pictures wait for the threads that search them: the lookahead's thread would take longer. */
export function waitsForThreads(estimator: string): boolean {
  return isSlow(estimator);
}
