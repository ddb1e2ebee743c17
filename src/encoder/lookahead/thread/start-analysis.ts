// Starts the threads that analyse pictures beside the lookahead's thread.
import { messageOf } from '../../../errors.js';
import { isBuiltInName, isSlow, needsGpu } from '../../../motion/built-in-estimators.js';
import { loadThreads } from '../../../threads/node/start-thread.js';
import { canShareMemory } from '../../../threads/shared-memory.js';
import { maxAnchorDistance, maxPicturesKept } from '../picture-planner.js';
import { type AnalysisStart, AnalysisThreads } from './analysis-threads.js';
import type { LookaheadSetup } from './lookahead-tasks.js';

/** With fewer coder threads, the lookahead's thread has the time to do it itself. */
const MIN_CODERS = 3;
// None of the following is measured by itself; docs/decisions/lookahead-thread.md has what they give together.
/** From so many coder threads on, two threads are asked about arrivals, else one. */
const MIN_CODERS_FOR_TWO = 8;
/** Coder threads to one that finds what decisions are made of: with a search and without. */
const CODERS_PER_SEARCHER = 2;
const CODERS_PER_ANALYST = 5;

/**
 * Threads that analyse the pictures of an encode, whose estimator is called `estimator`: they search, too, where that
 * is a CPU's. Undefined where there are too few threads for it, or they cannot start.
 */
export async function startAnalysis(
  setup: LookaheadSetup,
  estimator: string,
  { onWarning, keptThreads }: Pick<AnalysisStart, 'onWarning' | 'keptThreads'>,
): Promise<AnalysisThreads | undefined> {
  const { threads, grid, metric, range, candidates, kernels } = setup;
  if (threads < MIN_CODERS) return undefined;
  // One thread codes there: the lookahead's is faster than that unless its searches are slow.
  if (!canShareMemory() && !isSlow(estimator)) return undefined;
  const searcher = searchesHere(estimator) ? estimator : undefined;
  try {
    return await AnalysisThreads.start({
      options: { grid, metric, range, candidates, kernels, estimator: setup.estimator },
      maxDistance: maxAnchorDistance(setup),
      searcher,
      forArrivals: threads < MIN_CODERS_FOR_TWO ? 1 : 2,
      forDecisions: Math.ceil(threads / (searcher ? CODERS_PER_SEARCHER : CODERS_PER_ANALYST)),
      maxPictures: maxPicturesKept(setup),
      workerUrl: setup.workerUrl,
      keptThreads,
      onWarning,
    });
  } catch (error) {
    onWarning(`no threads start to analyse pictures (${messageOf(error)}); the lookahead's thread does it`);
    return undefined;
  }
}

/** Loads what starts the threads, if there will be any. */
export async function loadAnalysis({ threads }: LookaheadSetup): Promise<void> {
  if (threads >= MIN_CODERS) await loadThreads().catch(() => {}); // `startAnalysis` tells
}

/** Whether `estimator` is one that each thread can make for itself. */
export function searchesHere(estimator: string): boolean {
  return isBuiltInName(estimator) && !needsGpu(estimator);
}

/** Whether pictures wait for the threads that search them: the lookahead's thread would take longer. */
export function waitsForThreads(estimator: string): boolean {
  return isSlow(estimator);
}
