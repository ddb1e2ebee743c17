// Starts a thread of Node for one work.
import type { HostedThread, LentThreads, ThreadEntry, ThreadKeeper } from '../thread-messages.js';
import { PoolThread } from './pool-thread.js';
import { ThreadStock } from './thread-stock.js';

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
  { entry, ...given }: ThreadEntry,
  onDeath: (reason: unknown) => void,
): Promise<HostedThread> {
  const thread = await PoolThread.start(entry);
  const work = thread.give(given, onDeath);
  return {
    run: work.run,
    end: async () => {
      await work.end();
      await thread.end();
    },
  };
}

/**
 * Makes the `wanted` threads for another thread, or takes them from `keeper`. Undefined in browsers, which lend none
 * and do not call `wanted`.
 */
export function lendThreads(
  wanted: () => { readonly entry: string; readonly count: number },
  keeper?: ThreadKeeper,
): LentThreads | undefined {
  const { entry, count } = wanted();
  if (keeper) return keeper.lend(entry, count);
  const lent = new ThreadStock().lend(entry, count);
  return { ...lent, end: () => lent.end() };
}
