// A thread that answers tasks: its answers, errors and reports, and how it ends.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.js';
import { loadThreads } from '../../src/threads/node/start-thread.js';
import { TaskThread, ThreadDeath } from '../../src/threads/task-thread.js';

interface CountingTasks {
  add(numbers: Int32Array): Promise<Int32Array>;
  fail(message: string): Promise<never>;
  halves(numbers: Int32Array): Promise<[Int32Array, Int32Array]>;
  loading(): Promise<string>;
  leave(): Promise<never>;
  wait(): Promise<void>;
}

const ENTRY = fileURLToPath(new URL('fixtures/counting-thread.mjs', import.meta.url));

async function start(entry = ENTRY, signal?: AbortSignal) {
  const reports: number[] = [];
  const onReport = (report: number) => void reports.push(report);
  const thread = await TaskThread.start<CountingTasks, number>({ entry, data: { first: 100 }, onReport, signal });
  return { thread, reports };
}

describe('a thread', () => {
  it('answers tasks in parallel, with a report each, from buffers that are handed over', async () => {
    const { thread, reports } = await start();
    const numbers = Int32Array.of(1, 2);
    const answers = [thread.ask('add', numbers, [numbers.buffer]), thread.ask('add', Int32Array.of(5))];
    expect(thread.openTasks).toBe(2);
    expect(numbers).toHaveLength(0);
    expect(await Promise.all(answers)).toEqual([Int32Array.of(103), Int32Array.of(105)]);
    expect(reports).toEqual([1, 2]);
    expect(thread.openTasks).toBe(0);
    await thread.end();
  });

  it('hands a buffer over once, on which several arrays of an answer lie', async () => {
    const { thread } = await start();
    const [first, second] = await thread.ask('halves', Int32Array.of(1, 2, 3, 4));
    expect([first, second]).toEqual([Int32Array.of(1, 2), Int32Array.of(3, 4)]);
    expect(first.buffer).toBe(second.buffer);
    await thread.end();
  });

  it('passes errors on as they are, and goes on', async () => {
    const { thread, reports } = await start();
    const error = await thread.ask('fail', 'no such thing').catch(reason => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe('no such thing');
    expect(await thread.ask('add', Int32Array.of(1))).toEqual(Int32Array.of(101));
    expect(reports).toEqual([1, 2]);
    await thread.end();
  });

  it('that ends before its tasks rejects them, and all that come', async () => {
    const { thread } = await start();
    const open = thread.ask('wait', undefined);
    await expect(thread.ask('leave', undefined)).rejects.toBeInstanceOf(ThreadDeath);
    await expect(open).rejects.toThrow(/exited with code: 3/);
    await expect(thread.ask('add', Int32Array.of(1))).rejects.toThrow(/exited with code: 3/);
  });

  it('imports its entry and does not require it, in which Node 20 must not be stopped', async () => {
    const { thread } = await start();
    const stack = await thread.ask('loading', undefined);
    expect(stack).toContain('counting-thread.mjs');
    expect(stack).not.toMatch(/\brequire\b|FromCJS/);
    await thread.end();
  });

  it('is ended with the reason that is given', async () => {
    const { thread } = await start();
    const open = thread.ask('wait', undefined);
    thread.kill(new ThreadDeath('enough'));
    await expect(open).rejects.toBeInstanceOf(ThreadDeath);
    await expect(thread.ask('wait', undefined)).rejects.toThrow('enough');
  });

  it('finishes with its last task, or when that takes too long', async () => {
    const { thread } = await start();
    const [open] = await Promise.allSettled([
      thread.ask('wait', undefined),
      thread.finish(thread.ask('add', Int32Array.of(1)), 10),
    ]);
    expect(open).toMatchObject({ status: 'rejected', reason: expect.any(ThreadDeath) });
    const { thread: slow } = await start();
    await slow.finish(slow.ask('wait', undefined), 0.05);
    await expect(slow.ask('wait', undefined)).rejects.toBeInstanceOf(ThreadDeath);
  });

  it.each([
    ['before it starts', 0],
    ['while it starts', 1],
  ])('is given up %s', async (_, afterTurns) => {
    const stop = new AbortController();
    const onReport = () => {};
    const starting = TaskThread.start({ entry: ENTRY, data: { first: 0 }, onReport, signal: stop.signal });
    const outcome = starting.catch(reason => reason);
    for (let turn = 0; turn < afterTurns; turn++) await loadThreads();
    stop.abort();
    expect(await outcome).toMatchObject({ isAtStart: true, message: 'its start was given up' });
  });

  it('that runs outlives the signal by which its start could be given up', async () => {
    const stop = new AbortController();
    const { thread } = await start(ENTRY, stop.signal);
    stop.abort();
    expect(await thread.ask('add', Int32Array.of(1))).toEqual(Int32Array.of(101));
    await thread.end();
  });

  it('that cannot start says so', async () => {
    const error = await start('/no/such/thread.js').catch(reason => reason);
    expect(error).toBeInstanceOf(ThreadDeath);
    expect(error.isAtStart).toBe(true);
  });
});
