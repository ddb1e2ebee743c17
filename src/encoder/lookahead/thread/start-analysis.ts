// Starts the threads that analyse pictures beside the lookahead's thread.
import { messageOf } from '../../../errors.js';
import { isSlow } from '../../../motion/built-in-estimators.js';
import { loadThreads } from '../../../threads/node/start-thread.js';
import { canShareMemory } from '../../../threads/shared-memory.js';
import { startDistanceOf } from '../../motion/source-motion.js';
import { maxAnchorDistance } from '../picture-planner.js';
import { analysisCounts, askedCoders, searchesHere } from './analysis-counts.js';
import { type AnalysisStart, AnalysisThreads } from './analysis-threads.js';
import type { LookaheadSetup } from './lookahead-tasks.js';

/**
 * Threads that analyse the pictures of an encode, whose estimator is called `estimator`: they search, too, where that
 * is a CPU's. Undefined where there are too few threads for it, they cannot start, or their start is given up.
 */
export async function startAnalysis(
  setup: LookaheadSetup,
  estimator: string,
  { onWarning, keptThreads, signal }: Pick<AnalysisStart, 'onWarning' | 'keptThreads' | 'signal'>,
): Promise<AnalysisThreads | undefined> {
  const { grid, metric, range, candidates, kernels } = setup;
  const searcher = searchesHere(estimator) ? estimator : undefined;
  const counts = analysisCounts(setup, searcher !== undefined);
  if (counts === undefined) return undefined;
  // There one thread codes: the lookahead's thread is faster than that one, unless its searches are slow.
  if (!canShareMemory() && !isSlow(estimator)) return undefined;
  try {
    return await AnalysisThreads.start({
      options: { grid, metric, range, candidates, kernels, estimator: setup.estimator },
      maxDistance: maxAnchorDistance(setup),
      searcher,
      ...counts,
      lentCoders: askedCoders(setup, searcher !== undefined),
      startDistance: startDistanceOf(setup),
      workerUrl: setup.workerUrl,
      keptThreads,
      signal,
      onWarning,
    });
  } catch (error) {
    if (!signal?.aborted)
      onWarning(`no threads start to analyse pictures (${messageOf(error)}); the lookahead's thread does it`);
    return undefined;
  }
}

/** Loads what starts the threads, if this one may have to start some. */
export async function loadAnalysis(setup: LookaheadSetup): Promise<void> {
  const { estimator, lentPorts } = setup;
  if (!analysisCounts(setup, false) || (lentPorts && estimator !== 'auto')) return;
  await loadThreads().catch(() => {}); // `startAnalysis` tells
}
