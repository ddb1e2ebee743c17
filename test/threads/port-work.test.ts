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

it('a work keeps the process running as long as it has a task', async () => {
  const { port1, port2 } = new MessageChannel();
  const keepsRunning = () => (port1 as MessagePort & { hasRef(): boolean }).hasRef();
  const work = new PortWork(port1, { data: {} }, () => {});
  expect(keepsRunning()).toBe(false);
  const reply = work.run({ kind: 'add', given: 1 }, []);
  expect(keepsRunning()).toBe(true);
  port2.postMessage({ number: 0, reply: { kind: 'answered', answer: 2, report: undefined } });
  expect(await reply).toMatchObject({ answer: 2 });
  expect(keepsRunning()).toBe(false);
  await work.end();
});
