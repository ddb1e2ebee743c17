// What the options of a rate become: the fields of the sequence header, and a buffer that can work.
import { expect, it } from 'vitest';
import type { RateOptions } from '../../../src/encoder/rate-control/rate-settings.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import { OptionError } from '../../../src/errors.js';

const SIZE = { width: 64, height: 48, frameRate: 25 };

/** What is resolved of the rate. */
function rateOf(options: RateOptions) {
  const { rateMode } = resolveOptions({ ...SIZE, ...options });
  if (rateMode.kind !== 'bit-rate') throw new Error(`the rate is ${rateMode.kind}`);
  return rateMode;
}

it.each([
  [200_000, 500],
  [200_100, 500],
  [200_199, 500],
  [200_200, 501],
])('bit_rate of %i bit/s is the nearest whole number of 400 bit/s', (bitrate, units) => {
  expect(rateOf({ bitrate, cbr: true }).bitRateUnits).toBe(units);
});

it('a buffer that is not told has half a second of the rate, but at least that of Video CD', () => {
  expect(rateOf({ bitrate: 100_000, cbr: true }).vbvBufferUnits).toBe(20);
  expect(rateOf({ bitrate: 4_000_000, cbr: true }).vbvBufferUnits).toBe(Math.ceil(2_000_000 / 16_384));
});

it('at a constant rate the buffer must hold what comes in from one picture to the next', () => {
  const resolve = (vbvBytes: number) => rateOf({ bitrate: 1_000_000, cbr: true, vbvBytes });
  expect(() => resolve(4096)).toThrow(OptionError);
  expect(() => resolve(4096)).toThrow(
    /it holds less than what comes in from one picture to the next: give vbvBytes at least 6144$/,
  );
  // 0.9 of 49,152 bits, where 40,000 come in.
  expect(resolve(6144).vbvBufferUnits).toBe(3);
});
