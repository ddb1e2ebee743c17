// Picture types by a pattern, with fewer B pictures where that is asked for.
import { describe, expect, it } from 'vitest';
import { CodedOrder, type GopPattern, patternType } from '../../../src/encoder/gop/gop-plan.js';

/** The types of so many pictures; `bFrames` says how many B pictures come at most before a picture's anchor. */
function typesOf(
  pattern: Omit<GopPattern, 'gopMin'>,
  frames: number,
  bFrames = (_number: number) => pattern.bFrames,
): string {
  const order = new CodedOrder();
  return Array.from({ length: frames }, (_, number) => {
    const type = patternType(number, order.lastAnchor, { ...pattern, bFrames: bFrames(number) });
    order.push(number, type);
    return type;
  }).join('');
}

describe('the pattern', () => {
  it.each([
    [{ gop: 9, bFrames: 2, closedGop: false }, 'IBBPBBPBBIBBPB'],
    [{ gop: 6, bFrames: 2, closedGop: true }, 'IBBPBPIBBPBPIB'],
    [{ gop: 5, bFrames: 7, closedGop: false }, 'IBBBBIBBBBIBBB'],
    [{ gop: 4, bFrames: 0, closedGop: true }, 'IPPPIPPPIPPPIP'],
    [{ gop: 1, bFrames: 3, closedGop: false }, 'IIIIIIIIIIIIII'],
  ])('of %o', (pattern, expected) => {
    expect(typesOf(pattern, expected.length)).toBe(expected);
  });

  it('has fewer B pictures from where it is asked for, and I pictures where they were', () => {
    const types = typesOf({ gop: 12, bFrames: 3, closedGop: false }, 20, number => (number > 5 && number < 15 ? 1 : 3));
    expect(types).toBe('IBBBPBPBPBPBIBPBBBPB');
  });
});

it('the coded order counts anchors and knows the last one', () => {
  const order = new CodedOrder();
  expect([order.lastAnchor, order.anchors]).toEqual([-1, 0]);
  for (const [number, type] of (['I', 'B', 'B', 'P', 'B', 'B'] as const).entries()) order.push(number, type);
  expect([order.lastAnchor, order.anchors]).toEqual([3, 2]);
  order.push(6, 'P');
  expect([order.lastAnchor, order.anchors]).toEqual([6, 3]);
});
