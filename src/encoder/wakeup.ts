/** Lets asynchronous code wait until something has changed: every `wait` begun before a `notify` ends with it. */
export class Wakeup {
  #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  notify(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Lets timers, input and messages have their turn. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise(resolve => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** Longest delay of a timer, in milliseconds. */
const FOREVER_MS = 2 ** 31 - 1;

/**
 * What `work` gives, with something for the event loop to wait for meanwhile. Node 20 otherwise stops in "drain tasks" when all that is
 * under way is compilation, and if a background compilation then asks the main thread for a garbage collection, neither
 * ever goes on (seen as a hang of about one start in forty).
 */
export async function keepingEventLoopAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, FOREVER_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
