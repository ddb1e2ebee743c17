// The motion around anchors: from which pictures it is found, when, and for whom.
import { expect, it } from 'vitest';
import { CodedOrder } from '../../../src/encoder/gop/gop-plan.js';
import { MotionAround } from '../../../src/encoder/motion/motion-around.js';

const none = new Int16Array();

/** The pictures that the motion of each one is found from, and which questions came before each anchor was planned. */
async function around(types: string) {
  const asked: string[] = [];
  const motion = new MotionAround(async (number, references) => {
    asked.push(`${number}: ${references.join(' ')}`);
    return references.map(reference => ({ reference, dx: none, dy: none, noise: 0 }));
  });
  const order = new CodedOrder();
  const plans = [...types].flatMap((type, number) => {
    const planned = order.push(number, type as 'I' | 'P' | 'B');
    return planned.length > 0 ? [planned] : [];
  });
  const questions: string[][] = [];
  for (const planned of plans) {
    await motion.find(planned);
    questions.push(asked.splice(0));
  }
  const found = plans.flat().map(plan => [plan.displayNumber, motion.take(plan).map(({ reference }) => reference)]);
  return { questions, found: Object.fromEntries(found) };
}

it('is that from two pictures to each side of an anchor, none beyond the next anchors, and none of a B picture', async () => {
  const { questions, found } = await around('IBBBPBPP');
  expect(found).toEqual({ 0: [1, 2], 1: [], 2: [], 3: [], 4: [3, 2, 5, 6], 5: [], 6: [5, 4, 7], 7: [6] });
  // That from pictures after an anchor is found with the next one, before the lookahead forgets them.
  expect(questions).toEqual([[], ['4: 3 2', '0: 1 2'], ['6: 5 4', '4: 5 6'], ['7: 6', '6: 7']]);
});

it('fails where a search fails', async () => {
  const motion = new MotionAround(() => Promise.reject(new Error('no search')));
  const order = new CodedOrder();
  await motion.find(order.push(0, 'I'));
  await expect(motion.find(order.push(1, 'P'))).rejects.toThrow('no search');
});
