// Which of several threads is asked: of threads of their own the idlest, of coder threads one that does nothing.
import { afterEach, describe, expect, it } from 'vitest';
import { shareCoders } from '../../../../src/encoder/coders/shared-coders.js';
import { AskedCoders, OwnThreads } from '../../../../src/encoder/lookahead/thread/asked-threads.js';
import { ThreadClaims } from '../../../../src/threads/thread-claims.js';
import { messagesCome } from '../../../support/messages-come.js';

function withResolvers() {
  let resolve!: () => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<void>((onAnswer, onFailure) => {
    resolve = onAnswer;
    reject = onFailure;
  });
  return { promise, resolve, reject };
}

describe('threads of their own', () => {
  /** Asks threads 0, 1 and 2; answers come when they are given. */
  function askThreeThreads() {
    const threads = new OwnThreads([0, 1, 2]);
    return () => {
      const { promise, resolve, reject } = withResolvers();
      let asked: number | undefined;
      const answer = threads.ask(thread => {
        asked = thread;
        return promise;
      });
      const settle = (open: () => void) => {
        open();
        return answer;
      };
      return { thread: asked, answer: () => settle(resolve), fail: (error: Error) => settle(() => reject(error)) };
    };
  }

  it('are asked in turn while none has answered', () => {
    const ask = askThreeThreads();
    expect([ask(), ask(), ask(), ask()].map(({ thread }) => thread)).toEqual([0, 1, 2, 0]);
  });

  it('are passed over while they have more open questions than others', async () => {
    const ask = askThreeThreads();
    const [, second, third] = [ask(), ask(), ask()];
    await third.answer();
    await second.answer();
    expect([ask().thread, ask().thread, ask().thread]).toEqual([1, 2, 0]);
  });

  it('have no open question when an answer has failed', async () => {
    const ask = askThreeThreads();
    await expect(ask().fail(new Error('broken'))).rejects.toThrow('broken');
    expect(ask().thread).toBe(0);
  });
});

describe('coder threads', () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  /** Coder threads, so many of which may be asked at a time; answers come when they are given. */
  function lentCoders(count: number, atATime: number) {
    const { claims, claimsPort, lent } = shareCoders(count);
    const caller = new ThreadClaims(claims, 'caller', claimsPort, thread => {
      if (thread !== undefined) caller.release(thread);
    });
    const ended: number[] = [];
    const opened: number[] = [];
    const threads = new AskedCoders(lent, atATime, async port => {
      const number = lent.ports.indexOf(port);
      opened.push(number);
      return { number, end: async () => void ended.push(number) };
    });
    ends.push(() => {
      threads.close();
      caller.close();
    });
    const asked: { readonly thread: number; readonly answer: () => void; readonly fail: (error: Error) => void }[] = [];
    const ask = () =>
      threads.ask(({ number }) => {
        const { promise, resolve, reject } = withResolvers();
        asked.push({ thread: number, answer: resolve, fail: reject });
        return promise.then(() => number);
      });
    return { caller, threads, ask, asked, opened, ended };
  }

  it('are not asked where none runs', async () => {
    const { ask, asked } = lentCoders(2, 2);
    expect([await ask(), asked]).toEqual([undefined, []]);
  });

  it('are not asked by a port that was closed after one was claimed', async () => {
    const { caller, threads, ask, opened } = lentCoders(1, 1);
    caller.add(0);
    const answer = ask();
    threads.close();
    expect([await answer, opened]).toEqual([undefined, []]);
  });

  it('are asked one question at a time, and made ready once', async () => {
    const { caller, ask, asked, opened } = lentCoders(2, 2);
    caller.add(0);
    caller.add(1);
    const answers = [ask(), ask(), ask()];
    await messagesCome();
    expect(asked.map(({ thread }) => thread)).toEqual([0, 1]);
    asked[1]!.answer();
    await messagesCome();
    expect(asked.map(({ thread }) => thread)).toEqual([0, 1, 1]);
    for (const { answer } of asked) answer();
    expect(await Promise.all(answers)).toEqual([0, 1, 1]);
    expect(opened).toEqual([0, 1]);
    expect([caller.claim(), caller.claim()]).toEqual([0, 1]);
  });

  it('are left to the calling thread beyond so many at a time', async () => {
    const { caller, ask, asked } = lentCoders(3, 1);
    for (const thread of [0, 1, 2]) caller.add(thread);
    const answers = [ask(), ask()];
    await messagesCome();
    expect([asked.length, caller.claim(), caller.claim(), caller.claim()]).toEqual([1, 1, 2, undefined]);
    caller.release(1);
    await messagesCome();
    expect(asked).toHaveLength(1);
    asked[0]!.answer();
    await messagesCome();
    asked[1]!.answer();
    expect(await Promise.all(answers)).toEqual([0, 0]);
  });

  it('that code are asked when they have coded', async () => {
    const { caller, ask, asked } = lentCoders(1, 1);
    caller.add(0);
    expect(caller.claim()).toBe(0);
    const answer = ask();
    await messagesCome();
    expect(asked).toEqual([]);
    caller.release(0);
    await messagesCome();
    asked[0]!.answer();
    expect(await answer).toBe(0);
    await messagesCome();
    expect(caller.claim()).toBe(0);
  });

  it('are free again when an answer has failed', async () => {
    const { caller, ask, asked } = lentCoders(1, 1);
    caller.add(0);
    const answer = ask();
    await messagesCome();
    asked[0]!.fail(new Error('broken'));
    await expect(answer).rejects.toThrow('broken');
    expect(caller.claim()).toBe(0);
  });

  it('are not waited for when the last of them has ended', async () => {
    const { caller, ask, asked, ended } = lentCoders(2, 2);
    caller.add(0);
    caller.add(1);
    expect(caller.claim()).toBe(0);
    const answers = [ask(), ask()];
    await messagesCome();
    expect(asked.map(({ thread }) => thread)).toEqual([1]);
    caller.remove(1);
    await messagesCome();
    // Whoever asks a thread that has ended has to be told by what ends it.
    expect(ended).toContain(1);
    caller.remove(0);
    expect(await answers[1]).toBeUndefined();
  });

  it('are not waited for when nobody needs an answer any more', async () => {
    const { caller, threads, ask, ended } = lentCoders(2, 2);
    caller.add(0);
    caller.add(1);
    expect(caller.claim()).toBe(0);
    void ask(); // has thread 1
    const waiting = ask();
    await messagesCome();
    threads.close();
    expect(await waiting).toBeUndefined();
    await messagesCome();
    expect(ended).toEqual([1]);
    caller.release(0);
    expect(caller.claim()).toBe(0);
  });
});
