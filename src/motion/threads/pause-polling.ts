// Lets a thread sleep between the polls of a GPU binding.

/** How long the thread sleeps before each poll, in milliseconds. */
const PAUSE_MS = 0.2;

/**
 * Makes `setImmediate` of the calling thread sleep 0.2 ms before each callback. Dawn's binding for Node polls by
 * `setImmediate` while it awaits an answer, without a pause: a thread that waits takes a whole core. For threads that
 * do nothing but search. Returns a function that restores `setImmediate`.
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
