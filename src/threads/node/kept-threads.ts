// The threads of encodes that follow each other, as programs see them.
import type { EncodeThreads, ThreadKeeper } from '../thread-messages.js';
import { ThreadStock } from './thread-stock.js';

/**
 * Threads that encodes use, one after the other: the option `keptThreads`. A thread takes a tenth of a second of
 * processor time to start, and is faster when its code has run for a while. Encodes that run at the same time have
 * threads of their own, which are kept, too. Threads that nobody uses do not keep the process running. One that has
 * searched on a GPU keeps its device open.
 *
 *     const keptThreads = new KeptThreads();
 *     for (const [input, output] of clips) await encodeFiles(input, output, { keptThreads });
 *     await keptThreads.close();
 */
export class KeptThreads implements EncodeThreads {
  readonly #stock = new ThreadStock();

  /** For encoders alone. */
  get keeper(): object {
    return this.#stock satisfies ThreadKeeper;
  }

  /** Ends the threads that nobody uses; others end with their encodes. A later encode with it has none, and warns. */
  async close(): Promise<void> {
    await this.#stock.close();
  }
}
