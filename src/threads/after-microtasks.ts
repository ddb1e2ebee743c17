// Collects what is asked for in one turn of the event loop.

import { nextTurn } from './next-turn.js';

/** Calls `callback` when the microtasks that are under way are done: Node can before the event loop turns. */
export function afterMicrotasks(callback: () => void): void {
  const { process } = globalThis as { process?: { nextTick?: (callback: () => void) => void } };
  if (process?.nextTick) process.nextTick(callback);
  else nextTurn(callback);
}
