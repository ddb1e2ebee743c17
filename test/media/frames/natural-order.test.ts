// Tests of the natural order of file names.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareNatural } from '../../../src/media/frames/natural-order.js';

it('counts as people do', () => {
  const sorted = [
    'a.png',
    'frame1.png',
    'frame2.png',
    'frame02b.png',
    'frame10.png',
    'frame10.2.png',
    'frame10.10.png',
  ];
  expect([...sorted].reverse().sort(compareNatural)).toEqual([
    'a.png',
    'frame1.png',
    'frame2.png',
    'frame02b.png',
    'frame10.2.png',
    'frame10.10.png',
    'frame10.png',
  ]);
});

it('orders numbers longer than a double holds', () => {
  expect(compareNatural('f90071992547409930', 'f90071992547409931')).toBeLessThan(0);
  expect(compareNatural('f9', 'f10000000000000000000000')).toBeLessThan(0);
});

it('orders zero-padded and plain numbers alike', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (a, b) => {
      expect(Math.sign(compareNatural(`f${a}.png`, `f${b}.png`))).toBe(Math.sign(a - b));
      expect(Math.sign(compareNatural(`f${String(a).padStart(12, '0')}`, `f${String(b).padStart(12, '0')}`))).toBe(
        Math.sign(a - b),
      );
    }),
  );
});

it('is an order: antisymmetric, transitive, and 0 only for equal names', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '0', '1', '9', '.'), maxLength: 6 });
  fc.assert(
    fc.property(name, name, name, (a, b, c) => {
      expect(Math.sign(compareNatural(a, b))).toBe(-Math.sign(compareNatural(b, a)) + 0);
      expect(compareNatural(a, b) === 0).toBe(a === b);
      if (compareNatural(a, b) < 0 && compareNatural(b, c) < 0) expect(compareNatural(a, c)).toBeLessThan(0);
    }),
    { numRuns: 2000 },
  );
});
