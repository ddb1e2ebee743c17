// The lookahead: what plans pictures, and what searches their motion.
import type { SharedCoders } from '../coders/shared-coders.js';
import type { MotionChanges } from '../motion/motion-changes.js';
import { MotionSearch, type MotionSearchContext, type MotionSource } from '../motion/motion-search.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { PicturePlanner, type Planner } from './picture-planner.js';

/** What plans pictures, and what searches their motion for the plan and for the coder. */
export interface Lookahead {
  readonly planner: Planner;
  readonly motion: MotionSource;
  /** Whether its threads set up a GPU now, or find that there is none. */
  readonly setsUpGpu?: boolean;
  /** The port of the thread of a GPU, if one may be used, that filters pictures: see `FilterTasks`. */
  readonly filterPort?: MessagePort | undefined;
}

/** What a lookahead tells, what it listens to, and what else its thread does. */
export interface LookaheadContext extends MotionSearchContext {
  /** Coder threads that analyse pictures for a lookahead in a thread of its own. */
  readonly sharedCoders?: SharedCoders | undefined;
  /** What tells how many B pictures a pattern has. */
  readonly changes?: MotionChanges | undefined;
}

/** The lookahead in the calling thread. Rejects with UnsupportedError where its kernels cannot run. */
export async function createLookaheadHere(
  settings: EncoderSettings,
  context: LookaheadContext,
): Promise<Lookahead & { readonly planner: PicturePlanner; readonly motion: MotionSearch }> {
  const motion = new MotionSearch(settings, context);
  try {
    return { planner: await PicturePlanner.create(settings, motion, context.changes), motion };
  } catch (error) {
    await motion.close().catch(() => {});
    throw error;
  }
}
