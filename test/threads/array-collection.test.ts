// Tests of how many arrays a thread keeps: V8 alone collects those that have lived for a while beyond 64 MiB.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const MIB = 2 ** 20;
const FIXTURE = fileURLToPath(new URL('fixtures/run-array-thread.mjs', import.meta.url));

interface Arrays {
  /** The bytes of all arrays after each task, in ascending order. */
  readonly bytes: readonly number[];
  /** How often V8 has collected. */
  readonly collections: { readonly all: number; readonly ofNew: number };
}

/** What many tasks of a thread leave, in a process of its own: V8 collects there as it does for users. */
function run(task: 'make' | 'makeAndDrop'): Arrays {
  return JSON.parse(execFileSync(process.execPath, [FIXTURE, task], { encoding: 'utf8' }));
}

const mostly = ({ bytes }: Arrays) => bytes[bytes.length * 0.75]!;

it('arrays that nobody needs any more go soon', () => {
  const arrays = run('make');
  // While V8 collects, the buffer that makes it do so counts, too; it takes no memory.
  expect(mostly(arrays)).toBeGreaterThan(8 * MIB);
  expect(mostly(arrays)).toBeLessThan(22 * MIB);
});

it('arrays that nobody needs after their task go with what is new, and the rest of the heap is left alone', () => {
  const arrays = run('makeAndDrop');
  expect(mostly(arrays)).toBeLessThan(14 * MIB);
  expect(arrays.collections.ofNew).toBeGreaterThan(arrays.bytes.length / 10);
  // Where V8 frees the arrays late, beside the thread, all may be collected now and then.
  expect(arrays.collections.all).toBeLessThan(arrays.collections.ofNew / 2);
});
