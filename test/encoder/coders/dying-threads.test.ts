// Coder threads that die, at times that real ones seldom choose: who codes what they leave undone, and in which order.
import { expect, it, vi } from 'vitest';
import type { CodedPicture } from '../../../src/encoder/coders/coded-picture.js';
import type { CodingThread } from '../../../src/encoder/coders/coding-thread.js';
import { ThreadClaims } from '../../../src/threads/thread-claims.js';
import { codersWith, job } from './fake-threads.js';

it('the calling thread codes what dead threads leave in coded order: it must not wait for the rows of an anchor', async () => {
  const { coders, threads, codedHere, warnings } = await codersWith(2);
  const anchor = (await coders.nextThread()).code(job('P3'));
  const next = (await coders.nextThread()).code(job('B1'));
  await new Promise(setImmediate);
  expect(threads.map(({ jobs }) => jobs)).toEqual([['P3'], ['B1']]);
  threads[1]!.die();
  await new Promise(setImmediate);
  // B1 needs rows of P3, which its thread still reconstructs.
  expect(codedHere).toEqual([]);
  threads[0]!.die();
  expect(await Promise.all([anchor, next])).toEqual(['P3 by caller', 'B1 by caller']);
  expect(codedHere).toEqual(['P3', 'B1']);
  expect(warnings).toHaveLength(2);
  await coders.close();
});

it('a picture whose thread dies while it is coded again is coded as it was to be coded again', async () => {
  const { coders, threads, codedHere } = await codersWith(1);
  const seen: unknown[] = [];
  const again = (coded: CodedPicture) => {
    seen.push(coded);
    return seen.length === 1 ? job('P3, coarser') : undefined;
  };
  const picture = (await coders.nextThread()).code(job('P3'), again);
  await new Promise(setImmediate);
  threads[0]!.finish();
  await vi.waitFor(() => expect(threads[0]!.jobs).toEqual(['P3', 'P3, coarser']));
  threads[0]!.die();
  expect(await picture).toBe('P3, coarser by caller');
  expect(codedHere).toEqual(['P3, coarser']);
  expect(seen).toEqual(['P3 by thread 0', 'P3, coarser by caller']);
  await coders.close();
});

it('a thread that dies while it codes nothing is given no picture: another one codes it', async () => {
  const { coders, threads, codedHere, warnings } = await codersWith(2);
  threads[0]!.die();
  expect(warnings).toEqual(['a coder thread died (it was ended); the encode goes on with 1 other']);
  const picture = (await coders.nextThread()).code(job('P3'));
  await new Promise(setImmediate);
  threads[1]!.finish();
  expect(await picture).toBe('P3 by thread 1');
  expect(codedHere).toEqual([]);
  await coders.close();
});

it('the calling thread does not wait for a thread that dies while the lookahead has it', async () => {
  const { coders, threads, shared } = await codersWith(1);
  const lookahead = new ThreadClaims(shared.claims, 'lookahead', shared.lent.claimsPort, () => {});
  expect(lookahead.claim()).toBe(0);
  let given: CodingThread | undefined;
  const idle = coders.nextThread().then(thread => {
    given = thread;
  });
  await new Promise(setImmediate);
  expect(given).toBeUndefined();
  threads[0]!.die();
  await new Promise(setImmediate);
  expect(await given?.code(job('P3'))).toBe('P3 by caller');
  await idle;
  await coders.close();
});
