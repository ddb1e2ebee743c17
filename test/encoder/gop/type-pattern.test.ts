// Picture types by a pattern, with fewer B pictures where that is asked for.
import { describe, expect, it } from 'vitest';
import { TypePattern } from '../../../src/encoder/gop/type-pattern.js';

/** The types of so many pictures; `bFrames` says how many B pictures come at most before a picture's anchor. */
function typesOf(types: TypePattern, frames: number, bFrames: (displayNumber: number) => number | undefined): string {
  return Array.from({ length: frames }, (_, number) => types.next(number, bFrames(number))).join('');
}

const always = () => undefined;

describe('the pattern', () => {
  it.each([
    [{ gop: 9, bFrames: 2, closedGop: false }, 'IBBPBBPBBIBBPB'],
    [{ gop: 6, bFrames: 2, closedGop: true }, 'IBBPBPIBBPBPIB'],
    [{ gop: 5, bFrames: 7, closedGop: false }, 'IBBBBIBBBBIBBB'],
    [{ gop: 4, bFrames: 0, closedGop: true }, 'IPPPIPPPIPPPIP'],
    [{ gop: 1, bFrames: 3, closedGop: false }, 'IIIIIIIIIIIIII'],
  ])('of %o', (pattern, expected) => {
    expect(typesOf(new TypePattern(pattern), expected.length, always)).toBe(expected);
  });

  it('has fewer B pictures from where it is asked for, and I pictures where they were', () => {
    const types = new TypePattern({ gop: 12, bFrames: 3, closedGop: false });
    expect(typesOf(types, 20, number => (number > 5 && number < 15 ? 1 : undefined))).toBe('IBBBPBPBPBPBIBPBBBPB');
  });

  it('counts anchors and knows the last one', () => {
    const types = new TypePattern({ gop: 12, bFrames: 2, closedGop: false });
    typesOf(types, 6, always);
    expect([types.lastAnchor, types.anchors]).toEqual([3, 2]);
    types.next(6);
    expect([types.lastAnchor, types.anchors]).toEqual([6, 3]);
  });
});
