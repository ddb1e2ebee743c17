// Collects what is asked for in one turn of the event loop.

/** Calls `callback` when the microtasks that are under way are done: Node can before the event loop turns. */
export function afterMicrotasks(callback: () => void): void {
  const { process } = globalThis as { process?: { nextTick?: (callback: () => void) => void } };
  if (process?.nextTick) process.nextTick(callback);
  else setTimeout(callback, 0);
}
