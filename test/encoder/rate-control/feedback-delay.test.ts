// How many pictures the rate control lets begin before it knows what earlier ones took.
import { describe, expect, it } from 'vitest';
import { feedbackDelay } from '../../../src/encoder/rate-control/feedback-delay.js';

const delay = (pass: 0 | 1 | 2, before: number, left: number) =>
  feedbackDelay(before, left, { pass, hasBuffer: false });

describe('the delay of the feedback', () => {
  it('grows slowly in one pass, which knows little at first', () => {
    expect([0, 9, 10, 24, 26, 27, 47, 48, 1000].map(before => delay(0, before, 1000))).toEqual([
      0, 0, 1, 2, 2, 3, 23, 24, 24,
    ]);
  });

  it('is all pictures before at the start of both of two passes', () => {
    expect([0, 1, 10, 31, 32, 1000].map(before => delay(1, before, 1000))).toEqual([0, 1, 10, 31, 32, 32]);
    expect([0, 1, 10, 47, 48, 1000].map(before => delay(2, before, 1000))).toEqual([0, 1, 10, 47, 48, 48]);
  });

  it('shrinks towards the end, so that the last pictures make up for all others', () => {
    expect([100, 20, 4, 0].map(left => delay(2, 60, left))).toEqual([25, 5, 1, 0]);
    expect([100, 20, 4, 0].map(left => delay(0, 60, left))).toEqual([24, 5, 1, 0]);
  });

  it('shrinks to a hundredth of all pictures at least', () => {
    expect([100, 20, 4, 0].map(left => delay(2, 1000, left))).toEqual([25, 10, 10, 10]);
    expect([100, 20, 4, 0].map(left => delay(0, 1000, left))).toEqual([24, 10, 10, 10]);
    expect(delay(2, 5000, 0)).toBe(48);
  });

  it('stays as it is to the end of a first pass, whose stream is dropped', () => {
    expect([100, 20, 1, 0].map(left => delay(1, 1000, left))).toEqual([32, 32, 32, 32]);
  });

  it('is that of an anchor and its B pictures where a buffer has to hold them', () => {
    expect(feedbackDelay(1000, 1000, { pass: 2, hasBuffer: true })).toBe(3);
  });
});
