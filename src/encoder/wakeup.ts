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
