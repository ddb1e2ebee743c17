// What the options of a rate become: the fields of the sequence header, and a buffer that can work.
import { expect, it } from 'vitest';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { MAX_VBV_BYTES } from '../../../src/encoder/rate-control/rate-settings.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import { OptionError } from '../../../src/errors.js';

const SIZE = { width: 64, height: 48, frameRate: 25 };

/** What is resolved of the rate. */
function rateOf(options: Partial<EncoderOptions>) {
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

it('a buffer is whole units of 2048 bytes, rounded down', () => {
  expect([8191, 8192, 10_239].map(vbvBytes => rateOf({ bitrate: 100_000, vbvBytes }).vbvBufferUnits)).toEqual([
    3, 4, 4,
  ]);
});

it.each([
  ['of a given rate, whose peak would be half as much again', { bitrate: 100_000_000, vbvBytes: MAX_VBV_BYTES }],
  ['of half a second', { bitrate: 100_000_000, cbr: true }],
  ['of four pictures', { bitrate: 104_000_000, frameRate: 24, latency: 'low' }],
] as const)('bit_rate and vbv_buffer_size stay within their fields: a buffer %s', (_, options) => {
  const { bitRateUnits, vbvBufferUnits } = rateOf(options);
  // 18 bits, all of which set mean a variable rate, and 10 bits.
  expect(bitRateUnits).toBeLessThan(0x3ffff);
  expect(vbvBufferUnits).toBeLessThanOrEqual(1023);
});

it('at a constant rate the buffer holds no more than vbv_delay can state, and pictures have what comes in', () => {
  const { buffer, pictureBits } = rateOf({ bitrate: 100_100, cbr: true, vbvBytes: MAX_VBV_BYTES });
  expect(pictureBits).toBe(100_000 / 25);
  expect((buffer!.sizeBits * 90_000) / 100_000).toBeLessThan(0xffff);
  expect((buffer!.sizeBits * 90_000) / 100_000).toBeGreaterThan(0xff00);
});

it('a live buffer has the bits of four pictures, whatever their rate', () => {
  const { buffer } = rateOf({ bitrate: 4_000_000, frameRate: 29.97, latency: 'low' });
  expect(buffer!.sizeBits).toBe(Math.ceil((4 * 4_000_000 * 1001) / 30_000 / 16_384) * 16_384);
});

it('the window is two groups within bounds, and all pictures of a short clip', () => {
  const window = (options: Partial<EncoderOptions>) => rateOf({ bitrate: 100_000, ...options }).window;
  expect([5, 12, 15, 18, 40].map(gop => window({ gop }))).toEqual([24, 24, 30, 36, 36]);
  expect([20, 60, 64, 65].map(expectedFrames => window({ gop: 15, expectedFrames }))).toEqual([30, 60, 64, 30]);
  const large = { width: 1280, height: 720, gop: 15 };
  expect([12, 13].map(expectedFrames => window({ ...large, expectedFrames: 4 * expectedFrames }))).toEqual([30, 30]);
});
