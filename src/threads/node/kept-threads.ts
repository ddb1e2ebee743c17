// Threads that one encode after the other uses.
import { InputError } from '../../errors.js';
import type { HostedThread, ThreadEntry, ThreadStarter } from '../thread-messages.js';
import { PoolThread } from './pool-thread.js';

/**
 * Threads that encodes use, one after the other: the option `keptThreads`. A thread takes a fifth of a second of
 * processor time to start, and is faster when its code has run for a while. Where encodes run at the same time, each has
 * threads of its own, which are kept, too. Threads that nobody uses do not keep the process running.
 *
 *     const keptThreads = new KeptThreads();
 *     for (const [frames, output] of clips) await encodeFiles(frames, output, { keptThreads });
 *     await keptThreads.close();
 */
export class KeptThreads implements ThreadStarter {
  /** By their entries, the threads that nobody uses. */
  readonly #idle = new Map<string, PoolThread[]>();
  #isClosed = false;

  /** As `startThread`, with a thread that is there, if one is. Rejects with InputError after `close`. */
  async start({ entry, data }: ThreadEntry, onDeath: (reason: unknown) => void): Promise<HostedThread> {
    if (this.#isClosed) throw new InputError('the kept threads are closed');
    const thread = this.#take(entry) ?? (await PoolThread.start(entry));
    const work = thread.give(data, onDeath);
    return {
      run: work.run,
      end: async () => {
        // A thread with a task would be busy with it for as long as that takes.
        const isKept = work.isIdle && !thread.isDead && !this.#isClosed;
        await work.end();
        if (isKept) this.#idleOf(entry).push(thread);
        else await thread.end();
      },
    };
  }

  /** Ends the threads that nobody uses; others end with their encodes. Encodes cannot begin with it any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const idle = [...this.#idle.values()].flat();
    this.#idle.clear();
    await Promise.all(idle.map(thread => thread.end()));
  }

  #take(entry: string): PoolThread | undefined {
    const idle = this.#idleOf(entry);
    for (let thread = idle.pop(); thread; thread = idle.pop()) if (!thread.isDead) return thread;
    return undefined;
  }

  #idleOf(entry: string): PoolThread[] {
    let idle = this.#idle.get(entry);
    if (!idle) {
      idle = [];
      this.#idle.set(entry, idle);
    }
    return idle;
  }
}
