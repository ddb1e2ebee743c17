// Lets a thread sleep between the polls of a GPU binding.

/** How long the thread sleeps before each poll, in milliseconds. */
const PAUSE_MS = 0.2;

/**
 * Makes `setImmediate` of the calling thread wait 0.2 ms, asleep, before each callback. Dawn's binding for Node polls by
 * `setImmediate` as long as an answer is awaited, without a pause: a thread that waits takes a whole core. For threads
 * that do nothing but search; a message to the thread waits as long at most. Returns what takes it back.
 */
export function pausePolling(): () => void {
  const usual = globalThis.setImmediate;
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  const pausing = (callback: (...args: unknown[]) => void, ...args: unknown[]) =>
    usual(() => {
      Atomics.wait(asleep, 0, 0, PAUSE_MS);
      callback(...args);
    });
  globalThis.setImmediate = Object.assign(pausing, usual) as typeof setImmediate;
  return () => {
    globalThis.setImmediate = usual;
  };
}
