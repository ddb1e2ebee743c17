// Claims of threads that two others ask: each is one asker's at a time, and goes to the other one that waits for it.
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ThreadClaims } from '../../src/threads/thread-claims.js';
import { messagesCome } from '../support/messages-come.js';

const CLAIMING = new URL('fixtures/claiming.mjs', import.meta.url);
const ports: MessagePort[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const port of ports.splice(0)) port.close();
});

/** Both askers of so many threads, and what each of them is told. */
function bothAskers(threads: number) {
  const memory = ThreadClaims.memory(threads);
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  const told: { caller: (number | undefined)[]; lookahead: (number | undefined)[] } = { caller: [], lookahead: [] };
  const caller = new ThreadClaims(memory, 'caller', port1, thread => told.caller.push(thread));
  const lookahead = new ThreadClaims(memory, 'lookahead', port2, thread => told.lookahead.push(thread));
  return { memory, caller, lookahead, told };
}

describe('claims of threads', () => {
  it('are of threads that run, each one claim', () => {
    const { caller, lookahead } = bothAskers(3);
    expect([caller.claim(), caller.hasRunning]).toEqual([undefined, false]);
    caller.add(1);
    caller.add(2);
    expect(lookahead.hasRunning).toBe(true);
    expect([lookahead.claim(), caller.claim(), caller.claim(), lookahead.claim()]).toEqual([
      1,
      2,
      undefined,
      undefined,
    ]);
    expect([caller.isOthers(1), caller.isOthers(2)]).toEqual([true, false]);
    lookahead.release(1);
    expect(caller.claim()).toBe(1);
  });

  it('go to the other asker, which is told, as often as it waits for one', async () => {
    const { caller, lookahead, told } = bothAskers(2);
    caller.add(0);
    caller.add(1);
    expect([caller.claim(), caller.claim()]).toEqual([0, 1]);
    lookahead.want(1);
    expect(lookahead.claim()).toBeUndefined();
    caller.release(1);
    caller.release(0);
    await messagesCome();
    // It is told of both that were added, too.
    expect(told.lookahead).toEqual([undefined, undefined, 1]);
    expect([caller.isOthers(1), lookahead.claim()]).toEqual([true, 0]);
  });

  it('keep the process running while an asker waits: all threads may be with the other one', () => {
    const { port1 } = new MessageChannel();
    ports.push(port1);
    const claims = new ThreadClaims(ThreadClaims.memory(1), 'caller', port1, () => {});
    const keepsRunning = () => (port1 as MessagePort & { hasRef(): boolean }).hasRef();
    expect(keepsRunning()).toBe(false);
    claims.want(1);
    expect(keepsRunning()).toBe(true);
    claims.want(0);
    expect(keepsRunning()).toBe(false);
  });

  it('of a thread that starts go to the one that waits', async () => {
    const { caller, lookahead, told } = bothAskers(1);
    lookahead.want(1);
    caller.add(0);
    await messagesCome();
    expect(told.lookahead).toContain(0);
    expect(caller.claim()).toBeUndefined();
  });

  /** Calls `meanwhile` once, before or after the first exchange that claims or releases a thread. */
  function atExchange(when: 'before' | 'after', meanwhile: () => void): void {
    const exchange = Atomics.compareExchange;
    let isDone = false;
    vi.spyOn(Atomics, 'compareExchange').mockImplementation(((
      words: Int32Array,
      ...given: [number, number, number]
    ) => {
      const isFirst = !isDone;
      isDone = true;
      if (isFirst && when === 'before') meanwhile();
      const before = exchange(words, ...given);
      if (isFirst && when === 'after') meanwhile();
      return before;
    }) as typeof Atomics.compareExchange);
  }

  it('go to an asker that begins to wait just before a thread is free', async () => {
    const { caller, lookahead, told } = bothAskers(1);
    caller.add(0);
    expect(caller.claim()).toBe(0);
    atExchange('before', () => lookahead.want(1));
    caller.release(0);
    await messagesCome();
    expect([told.lookahead, caller.isOthers(0)]).toEqual([[undefined, 0], true]);
  });

  it('do not go to an asker that waits no more when it is about to have a thread', async () => {
    const { caller, lookahead, told } = bothAskers(1);
    caller.add(0);
    expect(caller.claim()).toBe(0);
    lookahead.want(1);
    atExchange('after', () => lookahead.want(0));
    caller.release(0);
    await messagesCome();
    expect([told.lookahead, caller.claim()]).toEqual([[undefined], 0]);
  });

  it('end with the thread, whoever has it', async () => {
    const { caller, lookahead, told } = bothAskers(2);
    caller.add(0);
    caller.add(1);
    expect([lookahead.claim(), caller.claim()]).toEqual([0, 1]);
    caller.remove(0);
    caller.remove(1);
    lookahead.want(1);
    lookahead.release(0);
    caller.release(1);
    await messagesCome();
    expect([caller.claim(), lookahead.claim(), lookahead.hasRunning]).toEqual([undefined, undefined, false]);
    expect([lookahead.hasEnded(0), lookahead.hasEnded(1)]).toEqual([true, true]);
    expect(told.lookahead).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('of an asker that has ended are taken over', () => {
    const { caller, lookahead } = bothAskers(3);
    for (const thread of [0, 1, 2]) caller.add(thread);
    expect([lookahead.claim(), caller.claim(), lookahead.claim()]).toEqual([0, 1, 2]);
    lookahead.want(1);
    expect(caller.takeOver()).toEqual([0, 2]);
    caller.release(0);
    caller.release(2);
    expect([caller.claim(), caller.claim()]).toEqual([0, 2]);
  });

  it('say that they are closed', async () => {
    const { caller, lookahead, told } = bothAskers(1);
    expect(lookahead.areClosed).toBe(false);
    caller.close();
    await messagesCome();
    expect([lookahead.areClosed, told.lookahead]).toEqual([true, [undefined]]);
  });

  it('are given to the other asker no more once they are closed, so that its threads are known', () => {
    const { caller, lookahead } = bothAskers(2);
    for (const thread of [0, 1]) caller.add(thread);
    expect(lookahead.claim()).toBe(0);
    caller.close();
    expect([caller.isOthers(0), caller.isOthers(1), lookahead.claim()]).toEqual([true, false, undefined]);
    lookahead.release(0);
    expect([caller.isOthers(0), lookahead.claim()]).toEqual([false, undefined]);
  });

  it('are exclusive, and nobody waits for ever, where one releases a thread while the other one looks', async () => {
    const { port1, port2 } = new MessageChannel();
    const memory = ThreadClaims.memory(1);
    const unheard = new MessageChannel();
    ports.push(unheard.port1, unheard.port2);
    new ThreadClaims(memory, 'caller', unheard.port1, () => {}).add(0);
    const [owner, done] = [new Int32Array(new SharedArrayBuffer(4)), new Int32Array(new SharedArrayBuffer(8))];
    const askers = [
      { asker: 'caller', port: port1 },
      { asker: 'lookahead', port: port2 },
    ];
    const workers = askers.map(({ asker, port }) => {
      const workerData = { memory, asker, port, owner, done, turns: 10_000 };
      return new Worker(CLAIMING, { workerData, transferList: [port as never] });
    });
    try {
      const clashes = workers.map(
        worker =>
          new Promise((resolve, reject) => {
            worker.once('message', resolve);
            worker.once('error', reject);
          }),
      );
      expect(await Promise.all(clashes)).toEqual([0, 0]);
    } finally {
      await Promise.all(workers.map(worker => worker.terminate()));
    }
  });
});
