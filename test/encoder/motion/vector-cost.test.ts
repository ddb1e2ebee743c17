import { expect, it } from 'vitest';
import { fieldFCode } from '../../../src/encoder/motion/vector-cost.js';
import type { MotionField } from '../../../src/motion/estimator.js';

/** 100 macroblocks in a row, all with these candidates, best first; `others` replaces those of the first macroblocks. */
function field(candidates: readonly Candidate[], others: readonly (readonly Candidate[])[] = []): MotionField {
  const all = Array.from({ length: 100 }, (_, block) => others[block] ?? candidates).flat();
  return {
    blockSize: 16,
    blockColumns: 100,
    blockRows: 1,
    candidatesPerBlock: candidates.length,
    dx: Int16Array.from(all, ([dx]) => dx),
    dy: Int16Array.from(all, ([, dy]) => dy),
    cost: Uint32Array.from(all, ([, , cost]) => cost),
  };
}

type Candidate = readonly [dx: number, dy: number, cost: number];

it.each([
  [[0, 0], 1],
  [[7, -7], 1], // half-pel refinement reaches 15
  [[8, 0], 2],
  [[0, -8], 2],
  [[-63, 63], 4],
  [[64, 0], 5],
  [[0, 300], 7],
] as const)('vectors %o need f_code %i', ([dx, dy], fCode) => {
  expect(fieldFCode(field([[dx, dy, 9]]))).toBe(fCode);
});

it('two macroblocks in a hundred may stay out of reach, three may not', () => {
  const far: readonly Candidate[] = [[100, 0, 9]];
  expect(fieldFCode(field([[3, 3, 9]], [far, far]))).toBe(1);
  expect(fieldFCode(field([[3, 3, 9]], [far, far, far]))).toBe(5);
});

it('the last candidate counts where it costs less: the lookahead may know better', () => {
  const zeros: Candidate = [0, 0, 900];
  expect(fieldFCode(field([zeros, zeros, [40, 0, 300]]))).toBe(4);
  expect(fieldFCode(field([zeros, zeros, [40, 0, 901]]))).toBe(1);
});
