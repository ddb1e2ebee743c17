// The arithmetic of the decoder's buffer: what it holds, what a picture may take, and the zeros that keep it in bounds.
import { describe, expect, it } from 'vitest';
import { VBV_DELAY_VARIABLE } from '../../../../src/bitstream/syntax/picture-header.js';
import type { PlannedPicture } from '../../../../src/encoder/gop/gop-plan.js';
import {
  baseScaleWithinBuffer,
  pictureLimits,
  stuffingBytes,
} from '../../../../src/encoder/rate-control/buffer/buffer-limits.js';
import { Deliveries } from '../../../../src/encoder/rate-control/buffer/deliveries.js';
import { SEQUENCE_END_BITS, sparsePictureBits } from '../../../../src/encoder/rate-control/buffer/sparse-picture.js';
import { refilled, VbvBuffer, vbvDelayTicks } from '../../../../src/encoder/rate-control/buffer/vbv-buffer.js';

const CONSTANT = { isConstantRate: true, sizeBits: 100_000, fillBits: 20_000, startBits: 90_000 };
const VARIABLE = { ...CONSTANT, isConstantRate: false, startBits: 100_000 };

describe("the decoder's buffer", () => {
  it('takes in no more than its size at a variable rate; at a constant rate all bits come in', () => {
    expect([70_000, 80_000, 95_000].map(bits => refilled(bits, VARIABLE))).toEqual([90_000, 100_000, 100_000]);
    expect(refilled(95_000, CONSTANT)).toBe(115_000);
  });

  it('is full after a small picture at a constant rate: zeros bring the picture to its least bits', () => {
    const buffer = new VbvBuffer(CONSTANT);
    expect(buffer.minPictureBits).toBe(10_000);
    expect(buffer.after([100]).fullnessBits).toBe(100_000);
    expect(buffer.after([100, 30_000]).fullnessBits).toBe(90_000);
    expect(buffer.fullnessBits).toBe(90_000);
    expect(new VbvBuffer(VARIABLE).minPictureBits).toBe(0);
  });

  it('gives vbv_delay in ticks of 90 kHz, rounded to nearest, without the bits before the picture header', () => {
    // 16001 bits in 3600 ticks.
    const settings = { ...CONSTANT, fillBits: 16_001 };
    expect(vbvDelayTicks(settings, 90_000, 0, 25)).toBe(20_249); // 20248.73
    expect(vbvDelayTicks(settings, 90_000, 1000, 25)).toBe(20_024); // 20023.75
    expect(vbvDelayTicks({ ...settings, isConstantRate: false }, 90_000, 0, 25)).toBe(VBV_DELAY_VARIABLE);
  });
});

describe('zeros after a picture', () => {
  const stuffing = (bits: number, wantedBits = 0, settings = CONSTANT) =>
    stuffingBytes(new VbvBuffer(settings), bits, wantedBits);

  it('keep the buffer from overflowing, to whole bytes up', () => {
    expect([1000, 9993, 10_000, 10_001].map(bits => stuffing(bits))).toEqual([1125, 1, 0, 0]);
    expect(stuffing(1000, 50_000, VARIABLE)).toBe(0);
  });

  it('leave room for sequence_end_code where the picture is to take all that the buffer holds', () => {
    expect(8 * 11_121).toBe(90_000 - SEQUENCE_END_BITS - 1000);
    expect(stuffing(1000, 90_000)).toBe(11_121);
    expect(stuffing(1000, 50_000)).toBe(6125);
  });
});

describe('deliveries', () => {
  it('give each accepted picture its zeros and its vbv_delay once, whenever it is asked for', () => {
    const deliveries = new Deliveries(CONSTANT, 25);
    expect(deliveries.add(1000, 0)).toBe(1125);
    // After it the buffer is full.
    expect(deliveries.add(30_000, 0)).toBe(0);
    expect(deliveries.next).toBe(2);
    expect(deliveries.take(1, 400)).toEqual({ stuffingBytes: 0, delayTicks: (100_000 - 400) * 0.18 });
    expect(deliveries.take(0, 0)).toEqual({ stuffingBytes: 1125, delayTicks: 90_000 * 0.18 });
    expect(() => deliveries.take(0, 0)).toThrow(TypeError);
  });
});

describe('the base scale within the buffer', () => {
  /** Pictures whose bits are these at scale 4, and fall as it rises. */
  const pictures = (...bits: readonly number[]) =>
    bits.map(atFour => ({ type: 'P' as const, bitsAt: (scale: number) => (4 * atFour) / scale }));
  const full = new VbvBuffer(VARIABLE);
  const within = (...bits: readonly number[]) => baseScaleWithinBuffer(full, pictures(...bits), 4);

  it('stays as it is where the buffer holds each picture, with what comes in between', () => {
    expect(within(100_000, 20_000, 20_000)).toBe(4);
    expect(within(50_000, 50_000, 40_000)).toBe(4);
  });

  it('is as much coarser as the picture needs that would find too little', () => {
    // The buffer holds 100,000 bits and three times 20,000: four pictures of 40,000.
    expect(within(50_000, 50_000, 50_000, 50_000)).toBeGreaterThanOrEqual(5);
    expect(within(50_000, 50_000, 50_000, 50_000)).toBeLessThan(5.25);
  });

  it('is the coarsest where even that one is not coarse enough', () => {
    expect(baseScaleWithinBuffer(new VbvBuffer(VARIABLE, 1000), pictures(50_000), 4)).toBe(31);
  });

  it('does not wait for more than a full buffer, nor for what such a picture would lack', () => {
    expect(within(1_000_000, 20_000, 20_000)).toBe(4);
  });
});

describe('the limit of a picture', () => {
  const shape = { macroblocks: 12, slices: 1, gop: 12 };
  const sparse = (type: 'I' | 'P', sinceIntra: number) => sparsePictureBits(type, shape, sinceIntra);
  const upcoming = (types: string) =>
    Array.from(types, (type, i) => ({ type, temporalReference: type === 'I' ? 0 : i }) as PlannedPicture);
  const limit = (types: string, fillBits: number, bitsAfterwards = 0) => {
    const settings = { ...VARIABLE, sizeBits: 20_000, startBits: 20_000, fillBits };
    return pictureLimits(new VbvBuffer(settings), upcoming(types), bitsAfterwards, shape).maxBits;
  };

  it('is what the buffer holds but for sequence_end_code, where it is the last', () => {
    expect(limit('P', 100)).toBe(20_000 - SEQUENCE_END_BITS);
  });

  it('leaves what the next picture takes in its sparsest form, also where later ones make up for that', () => {
    const reserved = sparse('I', 0) - 1000;
    expect(reserved).toBeGreaterThan(0);
    expect(limit('PI', 1000)).toBe(20_000 - SEQUENCE_END_BITS - reserved);
    // Each of the P pictures takes less than comes in.
    expect(sparse('P', 2)).toBeLessThan(1000);
    expect(limit('PIPPPP', 1000)).toBe(20_000 - SEQUENCE_END_BITS - reserved);
  });

  it('leaves what is wanted in the buffer afterwards', () => {
    expect(limit('P', 1000, 5000)).toBe(20_000 - SEQUENCE_END_BITS - 4000);
  });

  it('is never below its sparsest form, as far as the buffer holds that', () => {
    const settings = { ...VARIABLE, sizeBits: 20_000, startBits: 20_000, fillBits: 100 };
    const limits = (fullnessBits: number) =>
      pictureLimits(new VbvBuffer(settings, fullnessBits), upcoming('PI'), 90_000, shape);
    const least = sparse('P', 0);
    expect(limits(20_000)).toEqual({ maxBits: least, sparseBits: least });
    const short = least - 1;
    expect(limits(short + SEQUENCE_END_BITS)).toEqual({ maxBits: short, sparseBits: short });
  });
});
