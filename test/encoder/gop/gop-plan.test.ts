// Tests of the coded order and the display order.
import { describe, expect, it } from 'vitest';
import { DisplayOrder } from '../../../src/encoder/gop/display-order.js';
import { CodedOrder, type GopPattern, type PlannedPicture, patternType } from '../../../src/encoder/gop/gop-plan.js';

function planAll(frames: number, pattern: Omit<GopPattern, 'gopMin'>): PlannedPicture[] {
  const order = new CodedOrder();
  const plans: PlannedPicture[] = [];
  for (let n = 0; n < frames; n++) plans.push(...order.push(n, patternType(n, order.lastAnchor, pattern)));
  return [...plans, ...order.end()];
}

/** Whether a plan agrees with itself and with those before it; an expectation for each rule would take seconds. */
function isSound(plan: PlannedPicture, plans: readonly PlannedPicture[], closedGop: boolean): boolean {
  const { type, displayNumber, codedNumber, groupStart, temporalReference, forward, backward } = plan;
  const anchors = [forward, backward].filter(anchor => anchor !== undefined);
  return (
    temporalReference === displayNumber - groupStart &&
    temporalReference >= 0 &&
    // What a picture is predicted from has been coded before it.
    anchors.every(anchor => {
      const coded = plans.find(other => other.displayNumber === anchor)!;
      return coded.codedNumber < codedNumber && coded.type !== 'B';
    }) &&
    (forward === undefined) === (type === 'I') &&
    (backward === undefined) === (type !== 'B') &&
    (plan.closedGroup || !closedGop)
  );
}

const shown = (plans: PlannedPicture[]) =>
  [...plans]
    .sort((a, b) => a.displayNumber - b.displayNumber)
    .map(plan => plan.type)
    .join('');

describe('coded order', () => {
  it('a closed group ends with an anchor, which its B pictures follow', () => {
    const plans = planAll(8, { gop: 8, bFrames: 2, closedGop: true });
    expect(plans.map(plan => `${plan.type}${plan.displayNumber}`)).toEqual('I0 P3 B1 B2 P6 B4 B5 P7'.split(' '));
    expect(plans.map(plan => plan.codedNumber)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('an open group begins in display order with B pictures that need the group before', () => {
    const plans = planAll(7, { gop: 6, bFrames: 2, closedGop: false });
    expect(plans.map(plan => `${plan.type}${plan.displayNumber}`)).toEqual('I0 P3 B1 B2 I6 B4 B5'.split(' '));
    const second = plans[4]!;
    expect(second).toMatchObject({ startsGroup: true, closedGroup: false, groupStart: 4, temporalReference: 2 });
    expect(plans[5]).toMatchObject({ forward: 3, backward: 6, temporalReference: 0 });
  });

  it.each([0, 1, 2, 3, 7])('%i B pictures: every picture once, temporal references count what is shown', bFrames => {
    for (const closedGop of [true, false]) {
      for (const gop of [1, 2, 5, 12, 13]) {
        for (let frames = 1; frames <= 30; frames++) {
          const plans = planAll(frames, { gop, bFrames, closedGop });
          expect(plans.map(plan => plan.displayNumber).sort((a, b) => a - b)).toEqual([...Array(frames).keys()]);
          expect(plans.filter(plan => !isSound(plan, plans, closedGop))).toEqual([]);
        }
      }
    }
  });

  it('the pattern without B pictures', () => {
    expect(shown(planAll(9, { gop: 4, bFrames: 0, closedGop: true }))).toBe('IPPPIPPPI');
  });
});

describe('display order', () => {
  it('hands out what has no gap before it', () => {
    const order = new DisplayOrder<string>();
    expect(order.push(0, 'a')).toEqual([[0, 'a']]);
    expect(order.push(3, 'd')).toEqual([]);
    expect(order.push(1, 'b')).toEqual([[1, 'b']]);
    expect(order.push(2, 'c')).toEqual([
      [2, 'c'],
      [3, 'd'],
    ]);
  });
});
