// Tests of how many arrays a thread keeps: V8 alone collects those that have lived for a while beyond 64 MiB.
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { TaskThread } from '../../src/threads/task-thread.js';

const MIB = 2 ** 20;

interface ArrayTasks {
  /** Makes a megabyte of arrays in place of what was made nine times earlier; the bytes of all arrays. */
  make(given: undefined): Promise<number>;
}

it('arrays that nobody needs any more go soon', async () => {
  const entry = fileURLToPath(new URL('fixtures/array-thread.mjs', import.meta.url));
  const thread = await TaskThread.start<ArrayTasks, undefined>({ entry, data: {}, onReport: () => {} });
  try {
    const bytes: number[] = [];
    for (let task = 0; task < 200; task++) {
      bytes.push(await thread.ask('make', undefined));
      await setTimeout(3);
    }
    // While V8 collects, the buffer that makes it do so counts, too; it takes no memory.
    const mostly = bytes.sort((a, b) => a - b)[150]!;
    expect(mostly).toBeGreaterThan(8 * MIB);
    expect(mostly).toBeLessThan(22 * MIB);
  } finally {
    await thread.end();
  }
});
