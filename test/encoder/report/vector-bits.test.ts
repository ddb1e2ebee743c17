// The vector bits and macroblock types of picture reports, against what the writer spends.

import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { MACROBLOCK_INTRA } from '../../../src/bitstream/tables/macroblock-codes.js';
import { Encoder } from '../../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import type { Frame } from '../../../src/picture/frame.js';

/** What the writer of the stream really spends on motion codes. */
const written = vi.hoisted(() => {
  // Another file of this worker, such as kernel-twins.test.ts, may have loaded the sources with their own writer.
  vi.resetModules();
  return { bits: 0 };
});

// Later files get the sources as they are.
afterAll(() => void vi.resetModules());

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

const SIZE = { width: 80, height: 64 };

/** Encodes by the sources, where the writer above is in its place; only the reference kernels write by it. */
async function encode(frames: Iterable<Frame>, options: Partial<EncoderOptions>): Promise<void> {
  const encoder = new Encoder({
    ...SIZE,
    frameRate: 25,
    threads: 1,
    estimator: 'cpu-predictive',
    kernels: 'reference',
    ...options,
  });
  const collecting = (async () => {
    for await (const _unit of encoder);
  })();
  for (const frame of frames) await encoder.add(frame);
  await encoder.finish();
  await collecting;
}

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
    let sum = 0;
    await encode(generateSample({ kind: 'zoom', ...SIZE, frames: 4, seed: 5 }), {
      range: { x: 24, y: 16 },
      ...options,
      onPicture: ({ type, vectorBits, bits }) => {
        expect(type === 'I' ? vectorBits === 0 : vectorBits < bits).toBe(true);
        sum += vectorBits;
      },
    });
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBe(written.bits);
  });
});

describe('the macroblock types of picture reports', () => {
  it('count as the report counts them', async () => {
    const counted: unknown[] = [];
    const reported: unknown[] = [];
    await encode(generateSample({ kind: 'snow', ...SIZE, frames: 6, seed: 2 }), {
      onPicture: report => {
        const types = report.macroblockTypes();
        const intra = types.filter(type => type & MACROBLOCK_INTRA).length;
        const skipped = types.filter(type => type === 0).length;
        counted.push({ intra, skipped, predicted: types.length - intra - skipped });
        reported.push(report.macroblocks);
      },
    });
    expect(counted.length).toBe(6);
    expect(counted).toEqual(reported);
  });
});
