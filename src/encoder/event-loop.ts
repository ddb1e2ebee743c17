// Keeps the event loop turning while the encoder works.
import { nextTurn } from '../threads/next-turn.js';

/** Lets timers, input and messages have their turn. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise(resolve => nextTurn(resolve));
}

/** The longest delay that a timer can have, in milliseconds. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * The result of `work`; until then a timer keeps the event loop alive. Without one, Node 20 hung in about one start in
 * forty: where compilation was all that was under way, it stopped in "drain tasks", and a background compilation that
 * asked the main thread for a garbage collection waited for ever.
 */
export async function keepingEventLoopAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, MAX_DELAY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** Resolves when `work` has settled, or after `limitMs`. */
export async function settledWithin(work: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
