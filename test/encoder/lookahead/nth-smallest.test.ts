// A value by its rank is the one that sorting puts there.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nthSmallest } from '../../../src/encoder/lookahead/nth-smallest.js';

it('selects what sorting puts at the rank', () => {
  const values = fc.uint32Array({ minLength: 1, maxLength: 60, max: 30 });
  fc.assert(
    fc.property(values, fc.nat(), (given, any) => {
      const rank = any % given.length;
      expect(nthSmallest(given.slice(), rank)).toBe(given.toSorted()[rank]);
    }),
    { seed: 3 },
  );
});
