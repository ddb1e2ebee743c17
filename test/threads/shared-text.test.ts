// Text that a thread gives once, by memory.
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { SharedText } from '../../src/threads/shared-text.js';

it('comes to whoever has the memory, before and after it is given', async () => {
  const text = SharedText.create(20);
  const other = new SharedText(text.memory);
  const early = other.taken();
  expect(text.give('grüße')).toBe(true);
  expect([await early, await other.taken()]).toEqual(['grüße', 'grüße']);
});

it('comes from another thread', async () => {
  const { memory } = SharedText.create(8);
  const code = `const { workerData } = require('node:worker_threads');
    new Uint8Array(workerData, 8).set([72, 105]);
    const header = new Int32Array(workerData, 0, 2);
    header[1] = 2;
    setTimeout(() => Atomics.store(header, 0, 1), 20);`;
  const worker = new Worker(code, { eval: true, workerData: memory });
  expect(await new SharedText(memory).taken()).toBe('Hi');
  await worker.terminate();
});

it('is not given where it is too long', async () => {
  const text = SharedText.create(4);
  expect(text.give('12345')).toBe(false);
  expect(text.give('1234')).toBe(true);
  expect(await text.taken()).toBe('1234');
});
