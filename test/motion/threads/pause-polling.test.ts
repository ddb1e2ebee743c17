// A thread sleeps between the polls of a GPU binding.
import { afterEach, expect, it } from 'vitest';
import { pausePolling } from '../../../src/motion/threads/pause-polling.js';

let resume = () => {};
afterEach(() => resume());

it('sleeps at least 0.2 ms before each callback of setImmediate, and passes its arguments on', async () => {
  const usual = globalThis.setImmediate;
  resume = pausePolling();
  const startMs = performance.now();
  for (let poll = 0; poll < 100; poll++) {
    expect(await new Promise(resolve => setImmediate(resolve, poll))).toBe(poll);
  }
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(20);
  resume();
  expect(globalThis.setImmediate).toBe(usual);
});

it('leaves callbacks that can be cleared', async () => {
  resume = pausePolling();
  let isCalled = false;
  clearImmediate(
    setImmediate(() => {
      isCalled = true;
    }),
  );
  await new Promise(resolve => setImmediate(resolve));
  expect(isCalled).toBe(false);
});
