// Makes the lookahead of an encode: in the calling thread, or in one of its own.
import type { EncoderSettings } from '../settings/resolve-options.js';
import { createLookaheadHere, type Lookahead, type LookaheadContext } from './lookahead.js';

/**
 * The lookahead of an encode. It has a thread of its own where the encode has several, types follow what is shown, and
 * the estimator can be made there: all but a function.
 */
export async function createLookahead(settings: EncoderSettings, context: LookaheadContext): Promise<Lookahead> {
  const { threads, adaptiveTypes, estimator } = settings;
  if (threads === 1 || !adaptiveTypes || typeof estimator !== 'string') return createLookaheadHere(settings, context);
  const { LookaheadThread } = await import('./thread/lookahead-thread.js');
  context.signal?.throwIfAborted();
  const thread = new LookaheadThread({ ...settings, estimator }, context, more =>
    createLookaheadHere(settings, { ...context, ...more }),
  );
  return { planner: thread, motion: thread };
}
