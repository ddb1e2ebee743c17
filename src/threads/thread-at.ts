// A thread that another one has started, and that has the other end of a port.
import { PortWork } from './port-work.js';
import type { ThreadEntry, ThreadSource } from './thread-messages.js';

/** A work of the thread at the other end of `port`. `onDeath` is told when that one has ended. */
export function workAt(port: MessagePort, entry: ThreadEntry, onDeath: (reason: unknown) => void): PortWork {
  const work = new PortWork(port, entry, onDeath);
  port.addEventListener('close', () => work.die(new Error('it has ended')));
  return work;
}

/** The thread at the other end of `port`, which answers a work there beside its own. */
export function threadAt(port: MessagePort): ThreadSource {
  return { start: async (entry, onDeath) => workAt(port, entry, onDeath) };
}
