// Which of several threads is asked: the one with the fewest open questions, the same again about the same picture.
import { describe, expect, it } from 'vitest';
import { AskedThreads } from '../../../../src/encoder/lookahead/thread/asked-threads.js';

/** Asks threads 0, 1 and 2; answers come when they are given. */
function askThreeThreads(maxPictures = 8) {
  const threads = new AskedThreads([0, 1, 2], maxPictures);
  return (displayNumber: number) => {
    const { promise, resolve, reject } = withResolvers<void>();
    const asked: { thread: number; isFirst: boolean }[] = [];
    const answer = threads.ask(displayNumber, (thread, isFirst) => {
      asked.push({ thread, isFirst });
      return promise;
    });
    const settle = (open: () => void) => {
      open();
      return answer;
    };
    return { ...asked[0]!, answer: () => settle(resolve), fail: (error: Error) => settle(() => reject(error)) };
  };
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<T>((onAnswer, onFailure) => {
    resolve = onAnswer;
    reject = onFailure;
  });
  return { promise, resolve, reject };
}

describe('threads that are asked about pictures', () => {
  it('are asked in turn while none has answered', () => {
    const ask = askThreeThreads();
    expect([3, 4, 5, 6].map(picture => ask(picture).thread)).toEqual([0, 1, 2, 0]);
  });

  it('are passed over while they have more open questions than others', async () => {
    const ask = askThreeThreads();
    const [, second, third] = [ask(0), ask(1), ask(2)];
    await second.answer();
    await third.answer();
    // The turn is that of thread 0, which still has a question.
    expect([ask(3).thread, ask(6).thread]).toEqual([1, 2]);
  });

  it('are asked again about a picture that they know', async () => {
    const ask = askThreeThreads();
    const first = ask(4);
    expect(first).toMatchObject({ thread: 1, isFirst: true });
    expect(ask(4)).toMatchObject({ thread: 1, isFirst: false });
    await first.answer();
    expect(ask(4)).toMatchObject({ thread: 1, isFirst: false });
  });

  it('forget pictures that came long before the one that they are asked about', () => {
    const ask = askThreeThreads(3);
    expect(ask(1).isFirst).toBe(true);
    ask(4);
    expect(ask(1).isFirst).toBe(false);
    ask(5);
    expect(ask(1).isFirst).toBe(true);
  });

  it('have no open question when an answer has failed', async () => {
    const ask = askThreeThreads();
    await expect(ask(0).fail(new Error('broken'))).rejects.toThrow('broken');
    expect(ask(3).thread).toBe(0);
  });
});
