// Starts a thread of Node for one work.
import type { HostedThread, ThreadEntry } from '../thread-messages.js';
import { PoolThread } from './pool-thread.js';

export { threadEntry } from './thread-entry.js';

/** Loads what starts threads. After that, `startThread` starts one before the event loop turns. */
export async function loadThreads(): Promise<void> {
  await import('piscina');
}

/**
 * Starts a thread that runs the file `entry`, whose default export is made by `answerMessages`. `onDeath` is told why
 * the thread has ended, or could not start.
 */
export async function startThread(
  { entry, data }: ThreadEntry,
  onDeath: (reason: unknown) => void,
): Promise<HostedThread> {
  const thread = await PoolThread.start(entry);
  const work = thread.give(data, onDeath);
  return {
    run: work.run,
    end: async () => {
      await work.end();
      await thread.end();
    },
  };
}
