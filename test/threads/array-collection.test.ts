// Tests of how many arrays a thread keeps: V8 alone collects those that have lived for a while beyond 64 MiB.
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { TaskThread } from '../../src/threads/task-thread.js';

const MIB = 2 ** 20;
const TASKS = 200;

interface ArrayTasks {
  /** Makes a megabyte of arrays in place of what was made nine times earlier; the bytes of all arrays. */
  make(given: undefined): Promise<number>;
  /** Makes a megabyte of arrays that nobody needs; the bytes of all arrays. */
  makeAndDrop(given: undefined): Promise<number>;
  /** How often V8 has collected so far. */
  collections(given: undefined): Promise<{ readonly all: number; readonly ofNew: number }>;
}

/** The bytes of all arrays after each of many tasks in ascending order, and how often V8 has collected. */
async function run(task: 'make' | 'makeAndDrop') {
  const entry = fileURLToPath(new URL('fixtures/array-thread.mjs', import.meta.url));
  const thread = await TaskThread.start<ArrayTasks, undefined>({ entry, data: {}, onReport: () => {} });
  try {
    const bytes: number[] = [];
    for (let count = 0; count < TASKS; count++) {
      bytes.push(await thread.ask(task, undefined));
      await setTimeout(3);
    }
    return { bytes: bytes.sort((a, b) => a - b), collections: await thread.ask('collections', undefined) };
  } finally {
    await thread.end();
  }
}

it('arrays that nobody needs any more go soon', async () => {
  const { bytes } = await run('make');
  // While V8 collects, the buffer that makes it do so counts, too; it takes no memory.
  const mostly = bytes[TASKS * 0.75]!;
  expect(mostly).toBeGreaterThan(8 * MIB);
  expect(mostly).toBeLessThan(22 * MIB);
});

it('arrays that nobody needs after their task go with what is new, and the rest of the heap is left alone', async () => {
  const { bytes, collections } = await run('makeAndDrop');
  expect(bytes[TASKS * 0.75]).toBeLessThan(14 * MIB);
  expect(collections.ofNew).toBeGreaterThan(TASKS / 10);
  // Where V8 frees the arrays late, beside the thread, all may be collected now and then.
  expect(collections.all).toBeLessThan(collections.ofNew / 2);
});
