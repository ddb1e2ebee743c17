// Both transforms against the exact DCT; the inverse one by the procedure of IEEE 1180.
import { describe, expect, it } from 'vitest';
import { forwardDct8x8 } from '../../src/dct/forward-dct.js';
import { inverseDct8x8 } from '../../src/dct/inverse-dct.js';

/** Orthonormal 8-point DCT basis. */
const BASIS = Array.from({ length: 8 }, (_, k) =>
  Array.from({ length: 8 }, (_, n) => (k === 0 ? Math.SQRT1_2 : Math.cos(((2 * n + 1) * k * Math.PI) / 16)) / 2),
);

/** The exact transforms of ISO/IEC 11172-2 Annex A in doubles; coefficients column by column (`u * 8 + v`). */
function exactForward(block: ArrayLike<number>): Float64Array {
  const rows = new Float64Array(64);
  for (let y = 0; y < 8; y++) {
    for (let u = 0; u < 8; u++) {
      let sum = 0;
      for (let x = 0; x < 8; x++) sum += block[y * 8 + x]! * BASIS[u]![x]!;
      rows[y * 8 + u] = sum;
    }
  }
  const result = new Float64Array(64);
  for (let u = 0; u < 8; u++) {
    for (let v = 0; v < 8; v++) {
      let sum = 0;
      for (let y = 0; y < 8; y++) sum += rows[y * 8 + u]! * BASIS[v]![y]!;
      result[u * 8 + v] = sum;
    }
  }
  return result;
}
function exactInverse(coefficients: ArrayLike<number>): Float64Array {
  const columns = new Float64Array(64);
  for (let u = 0; u < 8; u++) {
    for (let y = 0; y < 8; y++) {
      let sum = 0;
      for (let v = 0; v < 8; v++) sum += coefficients[u * 8 + v]! * BASIS[v]![y]!;
      columns[u * 8 + y] = sum;
    }
  }
  const result = new Float64Array(64);
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) {
      let sum = 0;
      for (let u = 0; u < 8; u++) sum += columns[u * 8 + y]! * BASIS[u]![x]!;
      result[y * 8 + x] = sum;
    }
  }
  return result;
}

/** The pseudo-random generator that IEEE Std 1180-1990 prescribes: whole numbers -low..high. */
function ieee1180Random(): (low: number, high: number) => number {
  let seed = 1;
  return (low, high) => {
    seed = (Math.imul(seed, 1103515245) + 12345) | 0;
    const fraction = (seed & 0x7ffffffe) / 0x7fffffff;
    return Math.trunc(fraction * (low + high + 1)) - low;
  };
}

const clip = (value: number) => Math.max(-256, Math.min(255, value));
const BLOCKS = 10_000;

describe.each([
  [256, 255, 1],
  [5, 5, 1],
  [300, 300, 1],
  [256, 255, -1],
  [5, 5, -1],
  [300, 300, -1],
])('IEEE 1180 procedure: blocks of -%i..%i, sign %i', (low, high, sign) => {
  it('keeps every error within the limits', { timeout: 120_000 }, () => {
    const random = ieee1180Random();
    const errorSum = new Float64Array(64);
    const squareSum = new Float64Array(64);
    const block = new Int16Array(64);
    let peak = 0;
    for (let n = 0; n < BLOCKS; n++) {
      for (let i = 0; i < 64; i++) block[i] = random(low, high) * sign;
      const coefficients = exactForward(block).map(c => Math.max(-2048, Math.min(2047, Math.round(c))));
      const expected = exactInverse(coefficients);
      const actual = inverseDct8x8(coefficients);
      for (let i = 0; i < 64; i++) {
        const error = clip(actual[i]!) - clip(Math.round(expected[i]!));
        errorSum[i]! += error;
        squareSum[i]! += error * error;
        peak = Math.max(peak, Math.abs(error));
      }
    }
    const total = (sums: Float64Array) => sums.reduce((sum, value) => sum + value, 0) / (64 * BLOCKS);
    expect(peak).toBeLessThanOrEqual(1);
    expect(Math.max(...squareSum) / BLOCKS).toBeLessThanOrEqual(0.06);
    expect(total(squareSum)).toBeLessThanOrEqual(0.02);
    expect(Math.max(...errorSum.map(Math.abs)) / BLOCKS).toBeLessThanOrEqual(0.015);
    expect(Math.abs(total(errorSum))).toBeLessThanOrEqual(0.0015);
  });
});

describe('transforms', () => {
  it('all zeros stay zeros', () => {
    expect(inverseDct8x8(new Int16Array(64)).every(value => value === 0)).toBe(true);
  });

  it('the forward transform is exact within 0.15, in units of 1/8', () => {
    const random = ieee1180Random();
    let worst = 0;
    for (let n = 0; n < 2000; n++) {
      const block = Int16Array.from({ length: 64 }, () => random(255, 255));
      const exact = exactForward(block);
      const actual = forwardDct8x8(block);
      for (let i = 0; i < 64; i++) worst = Math.max(worst, Math.abs(actual[i]! / 8 - exact[i]!));
    }
    expect(worst).toBeLessThan(0.15);
  });

  it('a flat block has a DC coefficient only', () => {
    const coefficients = forwardDct8x8(new Int16Array(64).fill(100));
    expect(Math.abs(coefficients[0]! - 100 * 8 * 8)).toBeLessThanOrEqual(1);
    expect(coefficients.subarray(1).every(value => value === 0)).toBe(true);
  });
});
