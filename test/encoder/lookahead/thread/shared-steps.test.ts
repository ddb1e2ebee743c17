// Vectors that threads give each other row by row.
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { entriesFor, SharedSteps } from '../../../../src/encoder/lookahead/thread/shared-steps.js';

const GRID = { mbWidth: 2, mbHeight: 20 };
const CANDIDATES = 3;
const WAITING = new URL('fixtures/waiting-for-row.mjs', import.meta.url);
const workers: Worker[] = [];

afterEach(async () => {
  await Promise.all(workers.splice(0).map(worker => worker.terminate()));
});

/** A field of a picture: the best vector of block `i` is (10 * picture + i, -i), the others are not asked for. */
function fieldOf(picture: number) {
  const entries = GRID.mbWidth * GRID.mbHeight * CANDIDATES;
  const best = (i: number) => (i % CANDIDATES === 0 ? i / CANDIDATES : undefined);
  return {
    candidatesPerBlock: CANDIDATES,
    dx: Int16Array.from({ length: entries }, (_, i) => (best(i) === undefined ? 999 : 10 * picture + best(i)!)),
    dy: Int16Array.from({ length: entries }, (_, i) => (best(i) === undefined ? 999 : -best(i)!)),
  };
}

function giveRows(steps: SharedSteps, picture: number, from: number, to: number): void {
  for (let row = from; row < to; row++) steps.give(picture, row, fieldOf(picture));
}

/** A thread that waits for a row; it posts 'waiting', and the vectors of that row when they are there. */
function waiter(memory: ArrayBufferLike, entries: number, picture: number, row: number) {
  const worker = new Worker(WAITING, { workerData: { memory, grid: GRID, entries, picture, row } });
  workers.push(worker);
  const messages: unknown[] = [];
  const waiting = new Promise<void>((resolve, reject) => {
    worker.on('message', message => {
      messages.push(message);
      resolve();
    });
    worker.on('error', reject);
  });
  const ended = new Promise<void>(resolve => worker.on('exit', () => resolve()));
  return { waiting, ended, messages };
}

describe('steps that threads share', () => {
  it('gives the best vectors of each block', () => {
    const entries = entriesFor(2, 1);
    const steps = new SharedSteps(SharedSteps.memory({ grid: GRID, entries }), { grid: GRID, entries });
    giveRows(steps, 4, 0, GRID.mbHeight);
    steps.waitForRow(4, GRID.mbHeight - 1);
    const { dx, dy } = steps.vectors(4);
    expect([...dx]).toEqual(Array.from({ length: 40 }, (_, i) => 40 + i));
    expect([...dy]).toEqual(Array.from({ length: 40 }, (_, i) => 0 - i));
  });

  it.each([
    ['a new entry', 1],
    ['an entry that another picture had', 1 + entriesFor(2, 1)],
    ['the last of many', 1 + 5000 * entriesFor(2, 1)],
    ['one at which the counter of rows wraps', 1 + Math.floor(2 ** 31 / GRID.mbHeight) * entriesFor(2, 1)],
  ])('lets a thread wait for a row, not for the whole picture: %s', async (_, picture) => {
    const entries = entriesFor(2, 1);
    const memory = SharedSteps.memory({ grid: GRID, entries });
    const steps = new SharedSteps(memory, { grid: GRID, entries });
    if (picture > entries) giveRows(steps, picture - entries, 0, GRID.mbHeight);
    const { waiting, ended, messages } = waiter(memory, entries, picture, 5);
    await waiting;
    expect(messages).toEqual(['waiting']);
    giveRows(steps, picture, 0, 12);
    await ended;
    expect(messages).toEqual(['waiting', [10, 11].map(i => ((10 * picture + i) << 16) >> 16)]);
  });

  it('has a thread wait for a row that is the first of those given together', async () => {
    const entries = entriesFor(2, 1);
    const memory = SharedSteps.memory({ grid: GRID, entries });
    const steps = new SharedSteps(memory, { grid: GRID, entries });
    giveRows(steps, 1, 0, 8);
    const { waiting, ended, messages } = waiter(memory, entries, 1, 8);
    await waiting;
    giveRows(steps, 1, 8, 16);
    await ended;
    expect(messages).toEqual(['waiting', [26, 27]]);
  });

  it.each([
    [1, 2],
    [3, 2],
    [4, 2],
    [4, 4],
    [5, 1],
  ])('has entries enough for %i threads and starts %i pictures earlier', (threads, distance) => {
    // A thread searches one picture after the other. So when it gives the entry of picture 0 to another one, it has
    // searched the one that started from 0.
    const next = entriesFor(threads, distance);
    expect(next).toBeGreaterThan(distance);
    expect(next % threads).toBe(distance % threads);
  });

  it('needs no shared memory for one thread', () => {
    const steps = new SharedSteps(new ArrayBuffer(3 * (4 + 4 * 40)), { grid: GRID, entries: 3 });
    const progress = steps.progress(2, undefined);
    for (let row = 0; row < GRID.mbHeight; row++) {
      progress.waitForStart(row);
      progress.found(row, fieldOf(2));
    }
    steps.progress(3, 2).waitForStart(GRID.mbHeight - 1);
    expect(steps.vectors(2).dx[39]).toBe(59);
  });
});
