// Which thread is given to code a picture while others start, are lent or end.
import { expect, it } from 'vitest';
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
  const first = (await coders.idle()).code(job('P3'));
  const second = coders.idle().then(thread => thread.code(job('B1')));
  await new Promise(setImmediate);
  expect([threads[0]!.jobs, codedHere]).toEqual([['P3'], []]);
  run();
  await new Promise(setImmediate);
  for (const thread of threads) thread.finish();
  expect(await Promise.all([first, second])).toEqual(['P3 by thread 0', 'B1 by thread 1']);
  await coders.close();
});

it('a thread that comes when nobody waits for it any more is free again', async () => {
  const { coders, threads, shared } = await codersWith(2);
  const lookahead = new ThreadClaims(shared.claims, 'lookahead', shared.lent.claimsPort, () => {});
  expect(lookahead.claim()).toBe(0);
  const first = (await coders.idle()).code(job('P3'));
  const idle = coders.idle();
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
