// Tests of the whole scales of macroblocks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandStart, keepsScale, wholeScale } from '../../../src/macroblock/row/macroblock-scales.js';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The whole scales of a picture where `wanted` are. */
function wholeScales(wanted: readonly number[], codedNumber: number): number[] {
  const start = bandStart(codedNumber, wanted.length);
  return wanted.map((scale, address) => wholeScale(scale, address, start, wanted.length));
}

describe('whole scales', () => {
  it('have the mean wanted, to a macroblock, in bands of at most two changes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.double({ min: 1, max: 31, noNaN: true }),
        fc.nat(10_000),
        (count, scale, codedNumber) => {
          const whole = wholeScales(new Array<number>(count).fill(scale), codedNumber);
          expect(Math.abs(mean(whole) - scale)).toBeLessThanOrEqual(0.5 / count + 1e-9);
          expect(whole.filter((value, i) => i > 0 && value !== whole[i - 1]).length).toBeLessThanOrEqual(2);
        },
      ),
    );
  });

  it('are whole scales as they are', () => {
    for (let scale = 1; scale <= 31; scale++)
      expect(wholeScales([scale, scale, scale], 7)).toEqual([scale, scale, scale]);
  });

  it('are nowhere coarser where a finer one is wanted', () => {
    const ramp = (from: number) => Array.from({ length: 60 }, (_, i) => from + i / 10);
    for (let from = 1; from < 25; from += 0.07) {
      const [finer, coarser] = [wholeScales(ramp(from), 5), wholeScales(ramp(from + 0.07), 5)];
      expect(finer.every((scale, i) => scale <= coarser[i]!)).toBe(true);
    }
  });

  it('stay in 1..31', () => {
    expect(wholeScales([0.2, 1, 31, 40], 3)).toEqual([1, 1, 31, 31]);
  });

  it('stay as they were where the change would be small', () => {
    expect([8.5, 10, 11.5, 12.4].map(wanted => keepsScale(10, wanted))).toEqual([true, true, true, true]);
    expect([7, 8.3, 12.6, 31].map(wanted => keepsScale(10, wanted))).toEqual([false, false, false, false]);
  });
});
