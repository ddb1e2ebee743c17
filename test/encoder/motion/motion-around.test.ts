// The motion between anchors and the pictures around them: which pairs it is that of, and what is asked for.
import { expect, it } from 'vitest';
import { CodedOrder } from '../../../src/encoder/gop/gop-plan.js';
import { MotionAround } from '../../../src/encoder/motion/motion-around.js';

/** What is found for pictures of such types: of each the others, and all pairs that were asked for. */
async function around(types: string) {
  const asked: string[] = [];
  const motion = new MotionAround(async (number, reference) => {
    asked.push(`${number} from ${reference}`);
    return { dx: Int16Array.of(number), dy: Int16Array.of(reference), noise: number };
  });
  const order = new CodedOrder();
  const plans = [...types].map((type, number) => order.push(number, type as 'I' | 'P' | 'B'));
  for (const planned of plans) await motion.find(planned);
  const found = plans.flat().map(plan => {
    const others = motion.take(plan).map(({ reference, isReversed, dx, dy, noise }) => {
      const pair = isReversed ? [reference, plan.displayNumber] : [plan.displayNumber, reference];
      expect([dx[0], dy[0], noise]).toEqual([...pair, pair[0]]);
      return `${reference}${isReversed ? ' reversed' : ''}`;
    });
    return [plan.displayNumber, others.sort()] as const;
  });
  return { asked: new Set(asked), found: Object.fromEntries(found) };
}

it('is that of up to two pictures to each side of an anchor, none beyond the next anchors, and none of a B picture', async () => {
  const { found } = await around('IBBBPBPP');
  expect(found).toEqual({
    0: ['1 reversed', '2 reversed'],
    1: [],
    2: [],
    3: [],
    4: ['2 reversed', '3 reversed', '5 reversed', '6 reversed'],
    5: [],
    6: ['4', '5 reversed', '7 reversed'],
    7: ['6'],
  });
});

it('is asked for where pictures are predicted from their anchors, and of an I picture', async () => {
  const { asked } = await around('IBBPBI');
  expect(asked).toEqual(new Set(['1 from 0', '2 from 0', '1 from 3', '2 from 3', '4 from 3', '4 from 5', '5 from 3']));
});

it('fails where a search fails', async () => {
  const motion = new MotionAround(() => Promise.reject(new Error('no search')));
  const order = new CodedOrder();
  await motion.find(order.push(0, 'I'));
  await expect(motion.find(order.push(1, 'P'))).rejects.toThrow('no search');
});
