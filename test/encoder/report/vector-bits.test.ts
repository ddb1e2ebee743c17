// The vector bits and macroblock types of picture reports, against what the writer spends.

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { MACROBLOCK_INTRA } from '../../../src/bitstream/tables/macroblock-codes.js';
import { encodeFrames } from '../../support/encode.js';

/** What the writer of the stream really spends on motion codes. */
const written = vi.hoisted(() => ({ bits: 0 }));

vi.mock('../../../src/bitstream/syntax/macroblock.js', async importOriginal => {
  const original = await importOriginal<typeof import('../../../src/bitstream/syntax/macroblock.js')>();
  return {
    ...original,
    writeMotionComponent: (...args: Parameters<typeof original.writeMotionComponent>) => {
      const before = args[0].bitLength;
      original.writeMotionComponent(...args);
      written.bits += args[0].bitLength - before;
    },
  };
});

beforeEach(() => {
  written.bits = 0;
});

describe('the vector bits of picture reports', () => {
  it.each([
    ['P pictures', { bFrames: 0 }],
    ['B pictures', { bFrames: 2 }],
    ['a slice per row', { bFrames: 2, slices: 'rows' as const }],
    ['coarse quantization', { bFrames: 1, q: 24 }],
  ])('are those that the writer spends: %s', async (_, options) => {
    const size = { width: 112, height: 80 };
    const sample = generateSample({ kind: 'zoom', ...size, frames: 14, seed: 5 });
    const { reports } = await encodeFrames(sample, { ...size, range: { x: 24, y: 16 }, ...options });
    const sum = reports.reduce((bits, report) => bits + report.vectorBits, 0);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBe(written.bits);
    expect(reports.every(({ type, vectorBits, bits }) => (type === 'I' ? vectorBits === 0 : vectorBits < bits))).toBe(
      true,
    );
  });
});

describe('the macroblock types of picture reports', () => {
  it('count as the report counts them', async () => {
    const size = { width: 112, height: 80 };
    const counted: unknown[] = [];
    const reported: unknown[] = [];
    await encodeFrames(generateSample({ kind: 'snow', ...size, frames: 10, seed: 2 }), {
      ...size,
      onPicture: report => {
        const types = report.macroblockTypes();
        const intra = types.filter(type => type & MACROBLOCK_INTRA).length;
        const skipped = types.filter(type => type === 0).length;
        counted.push({ intra, skipped, predicted: types.length - intra - skipped });
        reported.push(report.macroblocks);
      },
    });
    expect(counted.length).toBe(10);
    expect(counted).toEqual(reported);
  });
});
