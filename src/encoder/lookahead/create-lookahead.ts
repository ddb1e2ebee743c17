// Makes the lookahead of an encode: in the calling thread, or in one of its own.

import { askDriversEarly } from '../../motion/threads/early-drivers.js';
import type { LiveGroups } from '../live/live-groups.js';
import { MotionSearch } from '../motion/motion-search.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { createLookaheadHere, type Lookahead, type LookaheadContext } from './lookahead.js';

/**
 * The lookahead of an encode. It has a thread of its own where the encode has several, types follow what is shown, and
 * the estimator can be made there: all but a function. With `groups`, those of a live encode, nothing looks ahead.
 */
export async function createLookahead(
  settings: EncoderSettings,
  given: LookaheadContext,
  groups?: LiveGroups,
): Promise<Lookahead> {
  if (groups) return createLivePlanner(settings, given, groups);
  const { threads, adaptiveTypes, estimator } = settings;
  if (threads === 1 || typeof estimator !== 'string') return createLookaheadHere(settings, given);
  const drivers = await askDriversEarly(estimator, given.keptThreads?.texts);
  const context = { ...given, drivers };
  const setsUpGpu = drivers !== undefined;
  if (!adaptiveTypes) {
    const searchThreads = setsUpGpu ? given.keptThreads : undefined;
    return { ...(await createLookaheadHere(settings, { ...context, searchThreads })), setsUpGpu };
  }
  const keepsThreads = given.keptThreads !== undefined;
  const { LookaheadThread } = await import('./thread/lookahead-thread.js');
  context.signal?.throwIfAborted();
  const thread = new LookaheadThread({ ...settings, estimator, drivers, keepsThreads }, context, more =>
    createLookaheadHere(settings, { ...context, ...more }),
  );
  return { planner: thread, motion: thread, setsUpGpu, filterPort: thread.filterPort };
}

async function createLivePlanner(
  settings: EncoderSettings,
  context: LookaheadContext,
  groups: LiveGroups,
): Promise<Lookahead> {
  const motion = new MotionSearch(settings, context);
  try {
    // Pages need not load what they do not use.
    const { LivePlanner } = await import('../live/live-planner.js');
    return { planner: await LivePlanner.create(groups, motion, settings), motion };
  } catch (error) {
    await motion.close().catch(() => {});
    throw error;
  }
}
