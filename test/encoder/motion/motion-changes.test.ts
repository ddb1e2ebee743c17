// What the motion between anchors says of how many B pictures pay after later ones.
import { describe, expect, it } from 'vitest';
import { MotionChanges } from '../../../src/encoder/motion/motion-changes.js';

const pays = async () => ({ paysOneB: true });
const doesNot = async () => ({ paysOneB: false });

/** The motion of anchors 0, 1, 2 and so on; 'I' tells nothing. */
function changesOf(...anchors: ((() => Promise<{ paysOneB: boolean }>) | 'I')[]): MotionChanges {
  const changes = new MotionChanges();
  anchors.forEach((change, number) => {
    changes.add(number, change === 'I' ? undefined : change);
  });
  return changes;
}

describe('one B picture pays', () => {
  it('where two P pictures in a row said so, the later one four anchors before', async () => {
    expect(await changesOf('I', pays, pays).paysOneB(6)).toBe(true);
    expect(await changesOf('I', pays, pays, doesNot, doesNot, doesNot).paysOneB(6)).toBe(true);
    expect(await changesOf('I', pays, pays).paysOneB(5)).toBe(false); // only one of them is so long ago
    expect(await changesOf('I', pays, doesNot).paysOneB(6)).toBe(false);
    expect(await changesOf('I', doesNot, pays).paysOneB(6)).toBe(false);
    expect(await changesOf('I', doesNot, pays, pays).paysOneB(7)).toBe(true);
    expect(await changesOf('I').paysOneB(4)).toBe(false);
  });

  it('also with I pictures between, which say nothing', async () => {
    expect(await changesOf('I', pays, 'I', 'I', pays, 'I').paysOneB(9)).toBe(true);
    expect(await changesOf('I', pays, pays, 'I', 'I', 'I').paysOneB(9)).toBe(true);
  });

  it('as it goes on: each question by its own two', async () => {
    const changes = changesOf('I', pays, pays, doesNot, pays, pays, pays);
    const answers: boolean[] = [];
    for (let number = 1; number <= 10; number++) answers.push(await changes.paysOneB(number));
    expect(answers).toEqual([false, false, false, false, false, true, false, false, true, true]);
  });
});

describe('a question', () => {
  it('waits until the anchors before are known, and what they say', async () => {
    const changes = changesOf('I', pays);
    let answer: boolean | undefined;
    const asked = changes.paysOneB(6).then(value => {
      answer = value;
    });
    await new Promise(resolve => setImmediate(resolve));
    expect(answer).toBeUndefined();
    let tell: (value: { paysOneB: boolean }) => void = () => {};
    changes.add(2, () => new Promise(resolve => (tell = resolve)));
    await new Promise(resolve => setImmediate(resolve));
    expect(answer).toBeUndefined();
    tell({ paysOneB: true });
    await asked;
    expect(answer).toBe(true);
  });

  it('rejects as the motion does', async () => {
    const lost = new Error('the device is lost');
    const changes = changesOf('I', pays, () => Promise.reject(lost));
    await expect(changes.paysOneB(6)).rejects.toBe(lost);
  });

  it('asks nobody again whom later questions need no more', async () => {
    const asked: number[] = [];
    const ask = (number: number) => async () => {
      asked.push(number);
      return { paysOneB: true };
    };
    const changes = changesOf('I', ask(1), ask(2), ask(3), ask(4));
    await changes.paysOneB(7);
    expect(asked).toEqual([2, 3]);
    await changes.paysOneB(8);
    expect(asked).toEqual([2, 3, 3, 4]);
  });
});
