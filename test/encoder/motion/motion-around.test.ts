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
  const found: [number, number[]][] = [];
  for (const plan of plans.flat()) {
    found.push([plan.displayNumber, (await motion.take(plan)).map(({ reference }) => reference)]);
  }
  return { questions, found: Object.fromEntries(found) };
}

it('is that from two pictures to each side of an anchor, none beyond the next anchors, and none of a B picture', async () => {
  const { questions, found } = await around('IBBBPBPP');
  expect(found).toEqual({ 0: [1, 2], 1: [], 2: [], 3: [], 4: [3, 2, 5, 6], 5: [], 6: [5, 4, 7], 7: [6] });
  // That from pictures after an anchor is found with the next one, before the lookahead forgets them.
  expect(questions).toEqual([[], ['4: 3 2', '0: 1 2'], ['6: 5 4', '4: 5 6'], ['7: 6', '6: 7']]);
});

it('is waited for when the next anchor is planned, and where it is taken', async () => {
  const answers: (() => void)[] = [];
  const motion = new MotionAround(async (_, references) => {
    await new Promise<void>(resolve => answers.push(resolve));
    return references.map(reference => ({ reference, dx: none, dy: none, noise: 0 }));
  });
  const order = new CodedOrder();
  const plans = [order.push(0, 'I'), order.push(1, 'P'), order.push(2, 'P')];
  await motion.find(plans[0]!);
  await motion.find(plans[1]!);
  const done: string[] = [];
  const found = motion.find(plans[2]!).then(() => done.push('found'));
  const taken = motion.take(plans[1]![0]!).then(({ length }) => done.push(`took ${length}`));
  await new Promise(resolve => setTimeout(resolve));
  expect(done).toEqual([]);
  for (const answer of answers.slice(0, 2)) answer(); // what was asked for with picture 1
  await found;
  expect(done).toEqual(['found']);
  for (const answer of answers.slice(2)) answer();
  await taken;
  expect(done).toEqual(['found', 'took 2']);
});

it('fails where a search fails', async () => {
  const motion = new MotionAround(() => Promise.reject(new Error('no search')));
  const order = new CodedOrder();
  const first = order.push(0, 'I');
  await motion.find(first);
  await motion.find(order.push(1, 'P'));
  await expect(motion.find(order.push(2, 'P'))).rejects.toThrow('no search');
  await expect(motion.take(first[0]!)).rejects.toThrow('no search');
});
