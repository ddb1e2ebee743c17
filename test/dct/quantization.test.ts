// Quantization, dequantization, the scan and the decoder's number range.
import { describe, expect, it } from 'vitest';
import { limitToDecoderRange, SAFE_MAGNITUDE } from '../../src/dct/decoder-range.js';
import { inverseDctRows } from '../../src/dct/inverse-dct.js';
import { DEFAULT_INTRA_MATRIX } from '../../src/dct/matrices.js';
import { dequantizeMagnitude, quantizeMagnitude } from '../../src/dct/quantize.js';
import { SCAN } from '../../src/dct/scan.js';
import { QUANTIZER } from '../../src/kernels/records/quantizer.js';
import { quantizerBytes } from './quantizer-bytes.js';

/**
 * The standard's formula as printed: "/" truncates toward zero; even results move one toward zero; §2.4.4.1,
 * §2.4.4.2.
 */
function printedReconstruction(level: number, scale: number, weight: number, intra: boolean): number {
  const sign = Math.sign(level);
  let value = intra
    ? Math.trunc((2 * level * scale * weight) / 16)
    : Math.trunc(((2 * level + sign) * scale * weight) / 16);
  if (value % 2 === 0) value -= Math.sign(value);
  return value;
}

describe('dequantization', () => {
  it.each([true, false])('every level, scale and weight as printed in the standard (intra: %s)', intra => {
    let wrong = 0;
    for (let scale = 1; scale <= 31; scale++) {
      for (let weight = 1; weight <= 255; weight++) {
        for (let magnitude = 1; magnitude <= 255; magnitude++) {
          const mine = dequantizeMagnitude(magnitude, scale * weight, intra);
          if (mine !== printedReconstruction(magnitude, scale, weight, intra)) wrong++;
          if (-mine !== printedReconstruction(-magnitude, scale, weight, intra)) wrong++;
        }
      }
    }
    expect(wrong).toBe(0);
  });

  it.each([
    [24, true, 0.5, 8],
    [16, false, 0, 0],
  ] as const)(
    'weight %i, intra %s: levels from 1 on are those that reconstruct nearest',
    (weight, intra, rounding, slack) => {
      const weights = new Uint8Array(64).fill(weight);
      let wrong = 0;
      for (let quantizerScale = 1; quantizerScale <= 31; quantizerScale++) {
        const step = quantizerScale * weight;
        const record = quantizerBytes({ quantizerScale, weights, intra, rounding });
        const [reciprocal] = new Float32Array(record.buffer, 0, 1);
        const [added] = new Float32Array(record.buffer, QUANTIZER.offsets.rounding, 1);
        const error = (coefficient: number, level: number) =>
          Math.abs(coefficient - 8 * dequantizeMagnitude(level, step, intra));
        // Where single reconstructions are moved by a unit, 8 here, only their mean is made up for: the slack.
        // From the first reconstruction on: between it and 0 the dead zone begins where the caller wants it.
        for (let coefficient = 8 * dequantizeMagnitude(1, step, intra); coefficient < 12 * step; coefficient++) {
          const level = quantizeMagnitude(coefficient, reciprocal!, added!);
          for (const other of [level - 1, level + 1]) {
            if (other > 0 && error(coefficient, other) + slack < error(coefficient, level)) wrong++;
          }
        }
      }
      expect(wrong).toBe(0);
    },
  );

  it('no level of a quantizer reconstructs beyond what every decoder represents', () => {
    for (const intra of [true, false]) {
      for (let quantizerScale = 1; quantizerScale <= 31; quantizerScale++) {
        const record = quantizerBytes({ quantizerScale, weights: DEFAULT_INTRA_MATRIX, intra, rounding: 0 });
        const maxLevel = new Int16Array(record.buffer, QUANTIZER.offsets.maxLevel, 64);
        maxLevel.forEach((level, i) => {
          const scale = quantizerScale * DEFAULT_INTRA_MATRIX[i]!;
          expect(dequantizeMagnitude(level, scale, intra)).toBeLessThanOrEqual(2047);
          if (level < 255) expect(dequantizeMagnitude(level + 1, scale, intra)).toBeGreaterThan(2047);
        });
      }
    }
  });
});

describe('scan order', () => {
  it('is the printed zigzag', () => {
    const byRow = SCAN.map(position => (position % 8) * 8 + (position >> 3));
    expect(byRow.slice(0, 16)).toEqual([0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5]);
    expect(byRow.slice(-8)).toEqual([53, 60, 61, 54, 47, 55, 62, 63]);
    expect(new Set(SCAN).size).toBe(64);
  });
});

describe('decoder range', () => {
  const overflows = (block: Int16Array) => inverseDctRows(block).some(value => value < -32768 || value > 32767);

  it('a block within SAFE_MAGNITUDE never overflows, wherever its magnitude lies', () => {
    for (let i = 0; i < 64; i++) {
      for (let j = 0; j < 64; j++) {
        const block = new Int16Array(64);
        block[i] = 2047;
        block[j] = Math.min(2047, block[j]! + SAFE_MAGNITUDE - 2047);
        expect(overflows(block)).toBe(false);
      }
    }
  });

  it('takes away levels from the end until the block fits', () => {
    const reconstruction = new Int16Array(64);
    const levels = new Int16Array(64);
    for (let position = 0; position < 10; position++) {
      levels[position] = 100;
      reconstruction[SCAN[position]!] = 2047;
    }
    expect(overflows(reconstruction)).toBe(true);
    const end = limitToDecoderRange(levels, reconstruction, 10, 0);
    expect(overflows(reconstruction)).toBe(false);
    expect(end).toBeGreaterThan(0);
    expect(end).toBeLessThan(10);
    expect(levels.subarray(end).every(level => level === 0)).toBe(true);
    expect(levels.subarray(0, end).every(level => level === 100)).toBe(true);
  });
});
