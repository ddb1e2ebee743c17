// The access units between the coder and the caller.

import { expect, it } from 'vitest';
import type { AccessUnit } from '../../src/bitstream/access-unit.js';
import { AccessUnitIteration, AccessUnitQueue } from '../../src/encoder/access-unit-queue.js';
import { Progress } from '../../src/encoder/progress.js';

function unit(codedNumber: number): AccessUnit {
  return { data: Uint8Array.of(codedNumber), pictureType: 'P', displayNumber: codedNumber, codedNumber };
}

it('the newest unit is held back, and the end of the sequence goes with it', () => {
  const queue = new AccessUnitQueue();
  queue.push(unit(0));
  expect(queue.length).toBe(0);
  expect(queue.shift()).toBeUndefined();
  queue.push(unit(1));
  expect(queue.length).toBe(1);
  expect(queue.shift()).toEqual(unit(0));
  expect(queue.end(Uint8Array.of(8, 9))).toBe(16);
  expect(queue.shift()).toEqual({ ...unit(1), data: Uint8Array.of(1, 8, 9) });
  expect(queue.length).toBe(0);
});

it('a stream without pictures has no end', () => {
  const queue = new AccessUnitQueue();
  expect(queue.end(Uint8Array.of(8, 9))).toBe(0);
  expect(queue.length).toBe(0);
});

it('calls that wait together get a unit each, in order, and then the end', async () => {
  const queue = new AccessUnitQueue(true);
  const progress = new Progress(undefined);
  const iteration = new AccessUnitIteration(queue, progress, () => {});
  const calls = [1, 2, 3, 4].map(() => iteration.next());
  for (let number = 0; number < 3; number++) {
    queue.push(unit(number));
    progress.notify();
    await new Promise(setImmediate);
  }
  progress.end();
  const over = { done: true, value: undefined };
  expect(await Promise.all(calls)).toEqual([...[0, 1, 2].map(number => ({ done: false, value: unit(number) })), over]);
});

it('a call that waits gets its unit before one that comes when the unit is there', async () => {
  const queue = new AccessUnitQueue(true);
  const progress = new Progress(undefined);
  const iteration = new AccessUnitIteration(queue, progress, () => {});
  const first = iteration.next();
  await new Promise(setImmediate);
  queue.push(unit(0));
  queue.push(unit(1));
  progress.notify();
  const second = iteration.next();
  expect([(await first).value, (await second).value]).toEqual([unit(0), unit(1)]);
});
