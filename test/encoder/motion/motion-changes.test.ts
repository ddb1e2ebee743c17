// What the motion between anchors says of how many B pictures pay after later ones.
import { describe, expect, it } from 'vitest';
import { MotionChanges } from '../../../src/encoder/motion/motion-changes.js';

const ANY = Number.POSITIVE_INFINITY;
const none = async () => ({ mostB: 0 });
const one = async () => ({ mostB: 1 });
const any = async () => ({ mostB: ANY });

/** The motion of anchors 0, 1, 2 and so on; 'I' tells nothing. */
function changesOf(...anchors: ((() => Promise<{ mostB: number }>) | 'I')[]): MotionChanges {
  const changes = new MotionChanges();
  anchors.forEach((change, number) => {
    changes.add(number, change === 'I' ? undefined : change);
  });
  return changes;
}

describe('one B picture pays at most', () => {
  it('where two P pictures in a row said so, the later one four anchors before', async () => {
    expect(await changesOf('I', one, one).mostB(6)).toBe(1);
    expect(await changesOf('I', one, one, any, any, any).mostB(6)).toBe(1);
    expect(await changesOf('I', one, one).mostB(5)).toBe(ANY); // only one of them is so long ago
    expect(await changesOf('I', one, any).mostB(6)).toBe(ANY);
    expect(await changesOf('I', any, one).mostB(6)).toBe(ANY);
    expect(await changesOf('I', any, one, one).mostB(7)).toBe(1);
    expect(await changesOf('I').mostB(4)).toBe(ANY);
  });

  it('also with I pictures between, which say nothing', async () => {
    expect(await changesOf('I', one, 'I', 'I', one, 'I').mostB(9)).toBe(1);
    expect(await changesOf('I', one, one, 'I', 'I', 'I').mostB(9)).toBe(1);
  });

  it('as it goes on: each question by its own two', async () => {
    const changes = changesOf('I', one, one, any, one, one, one);
    const answers: number[] = [];
    for (let number = 1; number <= 10; number++) answers.push(await changes.mostB(number));
    expect(answers).toEqual([ANY, ANY, ANY, ANY, ANY, 1, ANY, ANY, 1, 1]);
  });
});

describe('no B picture pays', () => {
  it('where two P pictures in a row say so', async () => {
    expect(await changesOf('I', none, none).mostB(6)).toBe(0);
    expect(await changesOf('I', none, one).mostB(6)).toBe(1);
    expect(await changesOf('I', one, none).mostB(6)).toBe(1);
    expect(await changesOf('I', none, any).mostB(6)).toBe(ANY);
  });

  it('before 24 anchors in a row, which tell nothing; then motion is looked at again', async () => {
    const changes = changesOf('I', none, none);
    const answers: number[] = [];
    for (let anchor = 3; anchor < 64; anchor++) {
      const most = await changes.mostB(anchor);
      answers.push(most);
      changes.add(anchor, most === 0 ? undefined : anchor < 40 ? none : any);
    }
    const many = new Array<number>(24).fill(0);
    // The last anchor that is looked at tells that any number pays. Four anchors later that is known.
    expect(answers).toEqual([ANY, ANY, ANY, ...many, ANY, ...many, ANY, 0, 0, 0, ANY, ANY, ANY, ANY, ANY]);
  });
});

describe('a question', () => {
  it('waits until the anchors before are known, and what they say', async () => {
    const changes = changesOf('I', one);
    let answer: number | undefined;
    const asked = changes.mostB(6).then(value => {
      answer = value;
    });
    await new Promise(resolve => setImmediate(resolve));
    expect(answer).toBeUndefined();
    let tell: (value: { mostB: number }) => void = () => {};
    changes.add(2, () => new Promise(resolve => (tell = resolve)));
    await new Promise(resolve => setImmediate(resolve));
    expect(answer).toBeUndefined();
    tell({ mostB: 1 });
    await asked;
    expect(answer).toBe(1);
  });

  it('rejects as the motion does', async () => {
    const lost = new Error('the device is lost');
    const changes = changesOf('I', one, () => Promise.reject(lost));
    await expect(changes.mostB(6)).rejects.toBe(lost);
  });

  it('asks nobody again whom later questions need no more', async () => {
    const asked: number[] = [];
    const ask = (number: number) => async () => {
      asked.push(number);
      return { mostB: 1 };
    };
    const changes = changesOf('I', ask(1), ask(2), ask(3), ask(4));
    await changes.mostB(7);
    expect(asked).toEqual([2, 3]);
    await changes.mostB(8);
    expect(asked).toEqual([2, 3, 3, 4]);
  });
});
