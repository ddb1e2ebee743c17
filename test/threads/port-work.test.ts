// A work of a thread, as whoever asks it sees it.
import { expect, it } from 'vitest';
import { PortWork } from '../../src/threads/port-work.js';

it('a work that has ended is not told that its thread dies later: that has another work', async () => {
  const { port1 } = new MessageChannel();
  const told: unknown[] = [];
  const work = new PortWork(port1, { data: {} }, reason => told.push(reason));
  await work.end();
  work.die(new Error('in the next work'));
  expect(told).toEqual([]);
});
