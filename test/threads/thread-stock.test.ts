// Threads that are kept for the next work: which are, and which end.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { InputError } from '../../src/errors.js';
import { KernelMemory, memoryBytes, usedMemory } from '../../src/kernels/kernel-memory.js';
import { BorrowedThreads } from '../../src/threads/node/borrowed-threads.js';
import { ThreadStock } from '../../src/threads/node/thread-stock.js';
import { TaskThread, ThreadDeath } from '../../src/threads/task-thread.js';
import type { ThreadSource } from '../../src/threads/thread-messages.js';

interface CountingTasks {
  add(numbers: Int32Array): Promise<Int32Array>;
  leave(): Promise<never>;
  wait(): Promise<void>;
}

const entry = fileURLToPath(new URL('fixtures/counting-thread.mjs', import.meta.url));

/** A thread that starts to count at `first`, and how many tasks the file that it runs has been asked. */
async function start(keptThreads: ThreadSource, first: number) {
  let asked = 0;
  const onReport = (report: number) => {
    asked = report;
  };
  const thread = await TaskThread.start<CountingTasks, number>({ entry, data: { first }, onReport, keptThreads });
  const add = async (number: number) => [(await thread.ask('add', Int32Array.of(number)))[0], asked];
  return { thread, add };
}

it('a thread that ends without a task does the next work, from its own data', async () => {
  const keptThreads = new ThreadStock();
  const { thread, add } = await start(keptThreads, 100);
  expect(await add(1)).toEqual([101, 1]);
  await thread.end();
  await expect(thread.ask('add', Int32Array.of(1))).rejects.toBeInstanceOf(ThreadDeath);
  const next = await start(keptThreads, 200);
  expect(await next.add(2)).toEqual([202, 2]);
  // It is in use.
  const beside = await start(keptThreads, 300);
  expect(await beside.add(3)).toEqual([303, 1]);
  await Promise.all([next.thread.end(), beside.thread.end()]);
  await keptThreads.close();
});

it('a thread that is ended with a task, or has ended, does nothing more', async () => {
  const keptThreads = new ThreadStock();
  const busy = await start(keptThreads, 100);
  const waiting = busy.thread.ask('wait', undefined);
  await Promise.all([expect(waiting).rejects.toBeInstanceOf(ThreadDeath), busy.thread.end()]);
  const left = await start(keptThreads, 100);
  expect(await left.add(1)).toEqual([101, 1]);
  await expect(left.thread.ask('leave', undefined)).rejects.toThrow(/exited with code: 3/);
  await left.thread.end();
  const next = await start(keptThreads, 100);
  expect(await next.add(1)).toEqual([101, 1]);
  await next.thread.end();
  await keptThreads.close();
});

it('a thread ends with its 32nd work', async () => {
  const keptThreads = new ThreadStock();
  const asked: unknown[] = [];
  for (let work = 0; work < 33; work++) {
    const { thread, add } = await start(keptThreads, 0);
    asked.push((await add(1))[1]);
    await thread.end();
  }
  expect(asked).toEqual([...Array.from({ length: 32 }, (_, before) => before + 1), 1]);
  await keptThreads.close();
});

it('after they are closed, no work begins, and a thread that is in use ends with its work', async () => {
  const keptThreads = new ThreadStock();
  const { thread, add } = await start(keptThreads, 100);
  await keptThreads.close();
  expect(await add(1)).toEqual([101, 1]);
  await thread.end();
  await expect(keptThreads.start({ entry, data: {} }, () => {})).rejects.toBeInstanceOf(InputError);
});

it('threads that are lent are asked by whoever has their ports, and do the next work', async () => {
  const keptThreads = new ThreadStock();
  const lent = keptThreads.lend(entry, 2);
  const borrowed = new BorrowedThreads(lent.ports, keptThreads);
  lent.start();
  const [one, other] = await Promise.all([start(borrowed, 100), start(borrowed, 200)]);
  expect([await one.add(1), await other.add(1)]).toEqual([
    [101, 1],
    [201, 1],
  ]);
  // One more than was lent.
  const more = await start(borrowed, 300);
  expect(await more.add(1)).toEqual([301, 1]);
  await Promise.all([one.thread.end(), other.thread.end(), more.thread.end()]);
  await expect(one.add(1)).rejects.toBeInstanceOf(ThreadDeath);
  expect(borrowed.giveBack()).toBe(true);
  await lent.end(true);
  // All three are there again.
  const again = keptThreads.lend(entry, 3);
  const next = new BorrowedThreads(again.ports);
  again.start();
  for (const first of [100, 200, 300]) expect(await (await start(next, first)).add(1)).toEqual([first + 1, 2]);
  await again.end(false);
  await keptThreads.close();
});

it('threads that are lent and die, are busy or cannot start, are known by their ports, and not kept', async () => {
  const keptThreads = new ThreadStock();
  const lent = keptThreads.lend(entry, 2);
  const borrowed = new BorrowedThreads(lent.ports);
  lent.start();
  const left = await start(borrowed, 100);
  await expect(left.thread.ask('leave', undefined)).rejects.toThrow('it has ended');
  const busy = await start(borrowed, 100);
  const waiting = busy.thread.ask('wait', undefined);
  await Promise.all([expect(waiting).rejects.toBeInstanceOf(ThreadDeath), busy.thread.end()]);
  expect(borrowed.giveBack()).toBe(false);
  await lent.end(false);
  const missing = keptThreads.lend(`${entry}.missing`, 1);
  missing.start();
  await expect(start(new BorrowedThreads(missing.ports), 100)).rejects.toThrow('it has ended');
  await missing.end(true);
  await keptThreads.close();
});

it('a thread that is lent and ends long before it is asked for is known to have ended', async () => {
  const { port1, port2 } = new MessageChannel();
  const borrowed = new BorrowedThreads([port1]);
  const closed = new Promise(resolve => port1.addEventListener('close', resolve));
  port2.close();
  await closed;
  await expect(start(borrowed, 100)).rejects.toThrow('it has ended');
});

it('a memory is taken by an encode that it has room for, and what comes from it is 0', async () => {
  const keptThreads = new ThreadStock();
  const { wasm } = new KernelMemory(1_000_000);
  new Uint8Array(wasm.buffer).fill(0xa5);
  keptThreads.keepMemory(wasm);
  expect(keptThreads.takeMemory(memoryBytes(900_000))).toBe(wasm);
  expect(keptThreads.takeMemory(memoryBytes(900_000))).toBeUndefined();
  const memory = new KernelMemory(usedMemory(wasm)!);
  const first = memory.allocate(1000);
  expect(memory.u8.subarray(first, first + 1000).every(byte => byte === 0)).toBe(true);
  expect(memory.u8[memory.allocateUnset(1000)]).toBe(0xa5);
  const ofPart = new KernelMemory(memory.allocatePart(1000));
  expect(ofPart.u8[ofPart.allocate(1000)]).toBe(0);
  expect(memory.i32[memory.allocateRoom(1000).start >> 2]).toBe(0);
  keptThreads.keepMemory(wasm);
  expect(keptThreads.takeMemory(memoryBytes(10_000_000))).toBeUndefined();
  // It was too small, and is given up.
  expect(keptThreads.takeMemory(memoryBytes(1000))).toBeUndefined();
  await keptThreads.close();
  keptThreads.keepMemory(wasm);
  expect(keptThreads.takeMemory(memoryBytes(1000))).toBeUndefined();
});
