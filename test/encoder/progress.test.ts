// How the parts of an encode wait for each other and stop together.

import { describe, expect, it } from 'vitest';
import { Progress } from '../../src/encoder/progress.js';

describe('the progress of an encode', () => {
  it('wakes those that wait, who look again', async () => {
    const progress = new Progress(undefined);
    let count = 0;
    const looks: number[] = [];
    const waiting = progress.until(() => {
      looks.push(count);
      return count === 2;
    });
    for (count = 1; count <= 2; count++) {
      await Promise.resolve();
      progress.notify();
      await Promise.resolve();
      if (count === 2) break;
    }
    await waiting;
    expect(looks).toEqual([0, 1, 2]);
  });

  it('those that wait look once at several changes, in the order in which they came, and tell of errors', async () => {
    const progress = new Progress(undefined);
    let isOver = false;
    const looks: string[] = [];
    const wait = (name: string, look = () => isOver) =>
      progress.until(() => {
        looks.push(name);
        return look();
      });
    const fails = wait('c', () => {
      if (isOver) throw new Error('cannot look');
      return false;
    });
    const waits = [wait('a'), wait('b', () => false), fails, wait('d')];
    looks.length = 0;
    // What one does when its turn has come may be what others wait for, who look again then.
    const acts = progress.when(
      () => isOver,
      () => {
        void wait('e');
        progress.notify();
      },
    );
    isOver = true;
    for (let change = 0; change < 3; change++) progress.notify();
    expect(looks).toEqual([]);
    await expect(fails).rejects.toThrow('cannot look');
    await Promise.all([waits[0], waits[3], acts]);
    expect(looks.join('')).toBe('cabdeb');
    progress.end();
    await Promise.resolve();
    expect(looks.join('')).toBe('cabdebb');
    progress.fail('enough');
  });

  it('of two that wait for the last of something, one gets it', async () => {
    const progress = new Progress(undefined);
    let left = 0;
    const taken: string[] = [];
    const take = (name: string) =>
      progress.when(
        () => left > 0,
        () => {
          left--;
          taken.push(name);
          return name;
        },
      );
    const both = [take('first'), take('second')];
    left = 1;
    progress.notify();
    expect(await both[0]).toBe('first');
    expect([taken, left]).toEqual([['first'], 0]);
    progress.fail('enough');
    expect(await both[1]).toBeUndefined();
    expect(taken).toEqual(['first']);
  });

  it('a failure ends all waits, and only the first reason counts', async () => {
    const progress = new Progress(undefined);
    const never = () => false;
    const waits = [progress.until(never), progress.unlessFailed(new Promise(() => {}))];
    progress.throwIfFailed();
    progress.fail('first');
    progress.fail('second');
    expect(await Promise.all(waits)).toEqual([undefined, undefined]);
    await progress.until(never);
    expect(progress.hasFailed).toBe(true);
    expect(() => progress.throwIfFailed()).toThrow('first');
  });

  it('gives the result of work, or its error', async () => {
    const progress = new Progress(undefined);
    expect(await progress.unlessFailed(Promise.resolve(7))).toBe(7);
    await expect(progress.unlessFailed(Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(progress.hasFailed).toBe(false);
  });

  it('an abort is a failure, before as after the start, until the encode is done', () => {
    const [before, after, late] = [new AbortController(), new AbortController(), new AbortController()];
    before.abort('at once');
    expect(() => new Progress(before.signal).throwIfFailed()).toThrow('at once');
    const progress = new Progress(after.signal);
    progress.throwIfFailed();
    after.abort('later');
    expect(() => progress.throwIfFailed()).toThrow('later');
    const done = new Progress(late.signal);
    done.end();
    late.abort('too late');
    done.throwIfFailed();
  });
});
