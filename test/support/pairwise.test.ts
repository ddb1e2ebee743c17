// The chooser of combinations: every pair of values occurs, and the list stays short.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Choices, missingPairs, pairwise, wholeGrid } from './pairwise.js';

const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 });

/** Parameters p0, p1, ... with values 0, 1, ... */
const choicesOf = (counts: readonly number[]): Choices =>
  Object.fromEntries(counts.map((count, n) => [`p${n}`, Array.from({ length: count }, (_, value) => value)]));

describe('the pairwise choice', () => {
  it('holds every pair of values of any two parameters', () => {
    fc.assert(
      fc.property(lengths, counts => {
        const choices = choicesOf(counts);
        const rows = pairwise(choices);
        for (const [a, aValues] of Object.entries(choices)) {
          for (const [b, bValues] of Object.entries(choices)) {
            if (a === b) continue;
            const seen = new Set(rows.map(row => `${row[a]} ${row[b]}`));
            for (const x of aValues) for (const y of bValues) expect(seen).toContain(`${x} ${y}`);
          }
          expect(new Set(rows.map(row => row[a]))).toEqual(new Set(aValues));
        }
      }),
      { seed: 1 },
    );
  });

  it('is part of the whole grid, without repetition, and far shorter where there are many parameters', () => {
    fc.assert(
      fc.property(lengths, counts => {
        const choices = choicesOf(counts);
        const rows = pairwise(choices).map(row => JSON.stringify(row));
        expect(new Set(rows).size).toBe(rows.length);
        const grid = new Set(wholeGrid(choices).map(row => JSON.stringify(row)));
        for (const row of rows) expect(grid).toContain(row);
        // The two longest lists need their product; greedy choice stays within twice that.
        const [most = 1, next = 1] = counts.toSorted((x, y) => y - x);
        expect(rows.length).toBeGreaterThanOrEqual(most * next);
        expect(rows.length).toBeLessThanOrEqual(2 * most * next);
      }),
      { seed: 2 },
    );
  });

  it('is the same every time', () => {
    const choices = choicesOf([5, 2, 2, 3, 3, 4]);
    expect(pairwise(choices)).toEqual(pairwise(choices));
  });
});

describe('missing pairs', () => {
  it('are those that occur in no row', () => {
    const choices = { a: [1, 2], b: ['x', 'y'], c: [true] };
    expect(missingPairs(choices, pairwise(choices))).toEqual([]);
    const rows = [
      { a: 1, b: 'x', c: true },
      { a: 2, b: 'x', c: false },
    ];
    expect(missingPairs(choices, rows)).toEqual(['a 1, b "y"', 'a 2, b "y"', 'a 2, c true', 'b "y", c true']);
  });
});

describe('the whole grid', () => {
  it('holds every combination once, the last parameter changing fastest', () => {
    expect(wholeGrid({ a: [1, 2], b: ['x', 'y'] })).toEqual([
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { a: 2, b: 'x' },
      { a: 2, b: 'y' },
    ]);
  });
});
