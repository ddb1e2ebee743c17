// The trellis finds what trying every combination finds.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LEVEL, RUN_LEVEL_TABLE_STRIDE, runLevelLengths } from '../../src/bitstream/tables/block-codes.js';
import { chooseLevels, type TrellisCoefficient } from '../../src/dct/trellis.js';

type Bits = (run: number, level: number) => number;

const lengths = runLevelLengths();
/** The lengths of Table B.5, long escapes for what it has no room for. */
const realBits: Bits = (run, level) =>
  level < RUN_LEVEL_TABLE_STRIDE ? lengths[run * RUN_LEVEL_TABLE_STRIDE + level]! : 28;
const simpleBits: Bits = (run, level) => 2 + run + 3 * level;

/** distortion + lambda * bits of the levels chosen for each coefficient, straight from the syntax of §2.4.2.8. */
function costOf(
  coefficients: readonly TrellisCoefficient[],
  chosen: readonly number[],
  bits: Bits,
  first: 0 | 1,
  lambda: number,
): number {
  let [distortion, length, next, coded] = [0, 0, first as number, 0];
  coefficients.forEach(({ position, level, distortion: high, lowerDistortion: low }, i) => {
    if (chosen[i] === 0) return;
    length += bits(position - next, chosen[i]!) - (position === 0 && chosen[i] === 1 ? 1 : 0);
    distortion += chosen[i] === level ? high : low;
    next = position + 1;
    coded++;
  });
  return distortion + lambda * (coded > 0 || first === 1 ? length + 2 : 0);
}

/** The smallest cost of all choices among level, lower and nothing. */
function minCostOf(coefficients: readonly TrellisCoefficient[], bits: Bits, first: 0 | 1, lambda: number): number {
  let choices: number[][] = [[]];
  for (const { level, lower } of coefficients) {
    const levels = [...new Set([level, lower, 0])];
    choices = choices.flatMap(choice => levels.map(taken => [...choice, taken]));
  }
  return Math.min(...choices.map(choice => costOf(coefficients, choice, bits, first, lambda)));
}

const blocks = fc
  .record({
    first: fc.constantFrom<0 | 1>(0, 1),
    lambda: fc.integer({ min: 0, max: 400 }),
    drawn: fc.uniqueArray(
      fc.record({
        position: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 63 })),
        level: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: MAX_LEVEL })),
        distortion: fc.integer({ min: -6000, max: 200 }),
        lowerDistortion: fc.integer({ min: -6000, max: 200 }),
      }),
      { selector: ({ position }) => position, maxLength: 6 },
    ),
  })
  .map(({ first, lambda, drawn }) => ({
    first,
    lambda,
    coefficients: drawn
      .filter(({ position }) => position >= first)
      .sort((a, b) => a.position - b.position)
      .map(coefficient => ({ ...coefficient, lower: coefficient.level - 1 })),
  }));

describe('trellis', () => {
  it.each([
    ['simple lengths', simpleBits],
    ["the standard's lengths", realBits],
  ])('with %s it finds what trying everything finds', (_, bits) => {
    fc.assert(
      fc.property(blocks, ({ first, lambda, coefficients }) => {
        const magnitudes = chooseLevels(coefficients, bits, first, lambda);
        const chosen = coefficients.map(({ position }) => magnitudes[position]!);
        expect(magnitudes.filter(level => level !== 0)).toHaveLength(chosen.filter(level => level !== 0).length);
        const cost = costOf(coefficients, chosen, bits, first, lambda);
        expect(cost).toBe(minCostOf(coefficients, bits, first, lambda));
      }),
      { seed: 20, numRuns: 1500 },
    );
  });

  it('may drop dominated paths, because in the table a longer run never costs less', () => {
    for (let level = 1; level <= MAX_LEVEL; level++) {
      for (let run = 1; run < 64; run++) {
        expect(realBits(run, level), `run ${run}, level ${level}`).toBeGreaterThanOrEqual(realBits(run - 1, level));
      }
    }
  });
});
