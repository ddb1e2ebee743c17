// Threads that nobody uses, for the works to come.
import { InputError } from '../../errors.js';
import type { WasmMemoryType } from '../../platform-types.js';
import type { HostedThread, LentThreads, ThreadEntry, ThreadKeeper } from '../thread-messages.js';
import { PoolThread } from './pool-thread.js';

/** Encodes of a thread, at most: a GPU's driver leaves memory in its thread; docs/decisions/thread-start.md. */
const MAX_WORKS = 32;

/** Keeps threads of Node, and the memory that they share. Threads that nobody uses do not keep the process running. */
export class ThreadStock implements ThreadKeeper {
  readonly keepsThreads = true;
  readonly texts = new Map<string, SharedArrayBuffer>();
  /** By their entries, the threads that nobody uses. */
  readonly #idle = new Map<string, PoolThread[]>();
  /** The memories that nobody uses. */
  #memories: WasmMemoryType[] = [];
  #isClosed = false;

  /** Like `startThread`, but with a kept thread if there is one. Rejects with InputError after `close`. */
  async start({ entry, ...given }: ThreadEntry, onDeath: (reason: unknown) => void): Promise<HostedThread> {
    const thread = await this.#threadOf(entry);
    const work = thread.give(given, onDeath);
    return {
      run: work.run,
      end: async (mayBeKept = true) => {
        // A thread with a task would be busy with it for as long as that takes.
        const isIdle = mayBeKept && work.isIdle;
        await work.end();
        await this.#keepOrEnd(thread, entry, isIdle);
      },
    };
  }

  lend(entry: string, count: number): LentThreads {
    const channels = Array.from({ length: count }, () => new MessageChannel());
    let starting: readonly Promise<PoolThread | undefined>[] = [];
    const start = async (port: MessagePort): Promise<PoolThread | undefined> => {
      try {
        const thread = await this.#threadOf(entry);
        // When a thread ends, its end of the port is closed: that tells whoever uses it.
        thread.giveTo(port, () => void thread.end());
        return thread;
      } catch {
        port.close();
        return undefined;
      }
    };
    return {
      ports: channels.map(({ port1 }) => port1),
      start: () => {
        starting = channels.map(({ port2 }) => start(port2));
      },
      end: async (areIdle = false) => {
        for (const thread of await Promise.all(starting)) {
          if (thread) await this.#keepOrEnd(thread, entry, areIdle);
        }
      },
    };
  }

  takeMemory(bytes: number): WasmMemoryType | undefined {
    const found = this.#memories.find(({ buffer }) => buffer.byteLength >= bytes);
    // Those that are too small are given up: the encodes to come are probably like this one.
    this.#memories = this.#memories.filter(memory => memory !== found && memory.buffer.byteLength >= bytes);
    return found;
  }

  keepMemory(memory: WasmMemoryType): void {
    if (!this.#isClosed) this.#memories.push(memory);
  }

  /** Ends the threads that nobody uses; others end with their work. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const idle = [...this.#idle.values()].flat();
    this.#idle.clear();
    this.#memories = [];
    await Promise.all(idle.map(thread => thread.end()));
  }

  async #keepOrEnd(thread: PoolThread, entry: string, isIdle: boolean): Promise<void> {
    const isKept = isIdle && thread.works < MAX_WORKS && !thread.isDead && !this.#isClosed;
    if (isKept) this.#idleOf(entry).push(thread);
    else await thread.end();
  }

  /** A thread that nobody uses, or a new one. */
  async #threadOf(entry: string): Promise<PoolThread> {
    if (this.#isClosed) throw new InputError('the kept threads are closed');
    return this.#take(entry) ?? PoolThread.start(entry);
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
