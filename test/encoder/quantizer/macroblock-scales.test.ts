// Tests of the whole scales of macroblocks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MacroblockScales } from '../../../src/encoder/quantizer/macroblock-scales.js';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The whole scales of a picture where `wanted` are. */
function wholeScales(wanted: readonly number[], codedNumber: number): number[] {
  const scales = new MacroblockScales(wanted.length, codedNumber, Float64Array.from(wanted));
  return wanted.map((_, address) => scales.whole(address, 1, undefined));
}

describe('whole scales', () => {
  it('have the mean wanted, to a macroblock, in bands of at most two changes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.double({ min: 1, max: 31, noNaN: true }),
        fc.nat(10_000),
        (count, scale, codedNumber) => {
          const scales = new MacroblockScales(count, codedNumber, undefined);
          const whole = Array.from({ length: count }, (_, address) => scales.whole(address, scale, undefined));
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

  it('stay as they were where the change would be small, if macroblocks have factors', () => {
    const wanted = [10, 11.5, 8.5, 13.5, 10.5, 7];
    const scales = new MacroblockScales(6, 0, Float64Array.from(wanted));
    let current: number | undefined;
    const whole = wanted.map((_, address) => {
      current = scales.whole(address, 1, current);
      return current;
    });
    expect(whole).toEqual([10, 10, 10, 13, 10, 7]);
    expect(new MacroblockScales(6, 0, undefined).whole(0, 11, 10)).toBe(11);
  });
});
