// Which thread is given to code a picture while others code, start, are lent or end.
import { describe, expect, it } from 'vitest';
import type { CodedPicture } from '../../../src/encoder/coders/coded-picture.js';
import type { CodingThread } from '../../../src/encoder/coders/coding-thread.js';
import { ThreadClaims } from '../../../src/threads/thread-claims.js';
import { messagesCome } from '../../support/messages-come.js';
import { codersWith, job } from './fake-threads.js';

it('the calling thread, which would wait for rows, codes nothing while a thread does and another one starts', async () => {
  let run = () => {};
  const started = new Promise<void>(resolve => {
    run = resolve;
  });
  const { coders, threads, codedHere } = await codersWith(2, async number => {
    if (number === 1) await started;
  });
  const first = (await coders.nextThread()).code(job('P3'));
  const second = coders.nextThread().then(thread => thread.code(job('B1')));
  await new Promise(setImmediate);
  expect([threads[0]!.jobs, codedHere]).toEqual([['P3'], []]);
  run();
  await new Promise(setImmediate);
  for (const thread of threads) thread.finish();
  expect(await Promise.all([first, second])).toEqual(['P3 by thread 0', 'B1 by thread 1']);
  await coders.close();
});

describe('a busy thread', () => {
  const follows = () => true;

  /** Coders whose threads each code a picture. */
  async function allBusy(count: number) {
    const { coders, threads, ...others } = await codersWith(count);
    const coded: Promise<CodedPicture>[] = [];
    for (let i = 0; i < count; i++) coded.push((await coders.nextThread(follows)).code(job(`P${i}`)));
    return { coders, threads, coded, ...others };
  }

  /** Whether a thread is given before any has finished. */
  async function isGiven(thread: Promise<CodingThread>): Promise<boolean> {
    return Promise.race([thread.then(() => true), new Promise<boolean>(resolve => setImmediate(resolve, false))]);
  }

  it('is given one more picture, first the one that is likely to be idle first', async () => {
    const { coders, threads, coded } = await allBusy(2);
    const [third, fourth] = [await coders.nextThread(follows), await coders.nextThread(follows)];
    expect([third.isBusy, fourth.isBusy]).toEqual([true, true]);
    coded.push(third.code(job('B0')), fourth.code(job('B1')));
    const fifth = coders.nextThread(follows);
    expect(await isGiven(fifth)).toBe(false);
    expect(threads.map(({ jobs }) => jobs)).toEqual([
      ['P0', 'B0'],
      ['P1', 'B1'],
    ]);
    threads[1]!.finish(); // and goes on with B1
    const { isBusy, code } = await fifth;
    coded.push(code(job('B2')));
    expect([isBusy, threads[1]!.jobs]).toEqual([true, ['P1', 'B1', 'B2']]);
    for (const thread of [0, 0, 1, 1]) threads[thread]!.finish();
    expect(await Promise.all(coded)).toEqual([
      'P0 by thread 0',
      'P1 by thread 1',
      'B0 by thread 0',
      'B1 by thread 1',
      'B2 by thread 1',
    ]);
    expect((await coders.nextThread(follows)).isBusy).toBe(false);
    await coders.close();
  });

  it.each([
    ['no picture waits that may be given to it', 2, () => false, 0],
    ['more than four threads code', 5, follows, 0],
    ['the lookahead waits for a thread', 2, follows, 1],
  ])('is given none where %s', async (_, count, mayFollow, wanted) => {
    const { coders, threads, coded, shared } = await allBusy(count);
    const lookahead = new ThreadClaims(shared.claims, 'lookahead', shared.lent.claimsPort, () => {});
    lookahead.want(wanted);
    const next = coders.nextThread(mayFollow);
    expect(await isGiven(next)).toBe(false);
    lookahead.want(0);
    for (const thread of threads) thread.finish();
    await Promise.all(coded);
    expect((await next).isBusy).toBe(false);
    await coders.close();
  });

  it('that dies leaves both of its pictures to the calling thread', async () => {
    const { coders, threads, coded, codedHere } = await allBusy(1);
    coded.push((await coders.nextThread(follows)).code(job('B0')));
    await new Promise(setImmediate);
    threads[0]!.die();
    expect(await Promise.all(coded)).toEqual(['P0 by caller', 'B0 by caller']);
    expect(codedHere).toEqual(['P0', 'B0']);
    await coders.close();
  });
});

it('a thread that comes when nobody waits for it any more is free again', async () => {
  const { coders, threads, shared } = await codersWith(2);
  const lookahead = new ThreadClaims(shared.claims, 'lookahead', shared.lent.claimsPort, () => {});
  expect(lookahead.claim()).toBe(0);
  const first = (await coders.nextThread()).code(job('P3'));
  const idle = coders.nextThread();
  await new Promise(setImmediate);
  lookahead.release(0); // a message says that it is the calling thread's
  threads[1]!.finish();
  await first;
  await idle;
  await messagesCome();
  expect(lookahead.claim()).toBe(0);
  await coders.close();
});

it('a kept thread that starts after the end is given back', async () => {
  let run = () => {};
  const started = new Promise<void>(resolve => {
    run = resolve;
  });
  const { coders, threads } = await codersWith(1, () => started);
  await coders.close();
  expect(threads[0]!.hasEnded).toBe(false);
  run();
  await new Promise(setImmediate);
  expect(threads[0]!.hasEnded).toBe(true);
});

it('kept threads that still prepare in the memory of an encode are waited for at its end: the next may get that', async () => {
  let open = () => {};
  const mayOpen = new Promise<void>(resolve => {
    open = resolve;
  });
  const { coders, threads } = await codersWith(2, undefined, mayOpen);
  let isClosed = false;
  const closed = coders.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  open();
  await closed;
  await new Promise(setImmediate);
  expect(threads.map(({ hasEnded }) => hasEnded)).toEqual([true, true]);
});

it('no port is left open where nobody got its other end', async () => {
  const { coders, shared } = await codersWith(2);
  const { ports, claimsPort } = shared.lent;
  const closed = [...ports, claimsPort].map(port => new Promise(resolve => port.addEventListener('close', resolve)));
  await coders.close();
  await Promise.all(closed);
});
