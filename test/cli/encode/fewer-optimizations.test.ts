// V8 optimizes fewer functions after a while, by a flag that its version knows, and not where an encode has one thread.
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { flagFor, optimizeLessLater } from '../../../src/cli/encode/fewer-optimizations.js';

const set = vi.fn<(flag: string) => void>();

it('names flags for the versions of Node 20 and 22 alone', () => {
  expect(flagFor('11.3.244.8-node.38')).toMatch(/^--interrupt-budget=\d+$/);
  expect(flagFor('12.4.254.21-node.33')).toMatch(/^--invocation-count-for-turbofan=\d+$/);
  expect(flagFor('13.6.233.17-node.37')).toBeUndefined();
  expect(flagFor('1.1')).toBeUndefined();
});

const own = flagFor(process.versions.v8);

it.runIf(own !== undefined)('names a flag that this Node knows', () => {
  const { status, stderr } = spawnSync(process.execPath, [own!, '-e', ''], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

describe.runIf(own !== undefined)('optimizeLessLater', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    set.mockClear();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('sets it after a while', () => {
    optimizeLessLater(2, set);
    vi.advanceTimersByTime(100);
    expect(set).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2000);
    expect(set.mock.calls).toEqual([[own]]);
  });

  it.each([
    ['called off', () => optimizeLessLater(2, set)()],
    ['for one thread', () => optimizeLessLater(1, set)],
  ])('sets nothing when %s', (_, start) => {
    start();
    vi.advanceTimersByTime(2000);
    expect(set).not.toHaveBeenCalled();
  });
});
