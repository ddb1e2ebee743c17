// A thread sleeps between the polls of a GPU binding.
import { afterEach, expect, it, vi } from 'vitest';
import { PollingPause } from '../../../src/motion/threads/polling-pause.js';

let pause: PollingPause;
afterEach(() => {
  pause.end();
  vi.restoreAllMocks();
});

it('sleeps at least 0.2 ms before each callback of setImmediate, and passes its arguments on', async () => {
  const usual = globalThis.setImmediate;
  pause = new PollingPause();
  const startMs = performance.now();
  for (let poll = 0; poll < 100; poll++) {
    expect(await new Promise(resolve => setImmediate(resolve, poll))).toBe(poll);
  }
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(20);
  pause.end();
  expect(globalThis.setImmediate).toBe(usual);
});

it('does not sleep while requests and answers come', async () => {
  const wait = vi.spyOn(Atomics, 'wait');
  const clock = vi.spyOn(performance, 'now').mockReturnValue(100);
  pause = new PollingPause();
  pause.keepAwake();
  clock.mockReturnValue(102);
  await new Promise(resolve => setImmediate(resolve));
  expect(wait).not.toHaveBeenCalled();
  clock.mockReturnValue(103);
  await new Promise(resolve => setImmediate(resolve));
  expect(wait).toHaveBeenCalledOnce();
});

it('leaves callbacks that can be cleared', async () => {
  pause = new PollingPause();
  let isCalled = false;
  clearImmediate(
    setImmediate(() => {
      isCalled = true;
    }),
  );
  await new Promise(resolve => setImmediate(resolve));
  expect(isCalled).toBe(false);
});
