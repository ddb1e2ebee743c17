// Waits that have an end leave nothing behind.
import { afterEach, expect, it, vi } from 'vitest';
import { untilAborted, withTimeLimit } from '../../src/threads/time-limit.js';

afterEach(() => void vi.useRealTimers());

it('a wait in time leaves no timer, which would keep the process running', async () => {
  vi.useFakeTimers();
  expect(await withTimeLimit(Promise.resolve(1), 30, () => new Error('late'))).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('a wait that is over no longer listens to its signal', async () => {
  const { signal } = new AbortController();
  const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
  expect(remove.mock.calls).toEqual(add.mock.calls);
});
