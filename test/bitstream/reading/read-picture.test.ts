// What is read of access units is what the encoder reports of its pictures.
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { readMacroblocks } from '../../../src/bitstream/reading/read-picture.js';
import { START_CODE_BITS } from '../../../src/bitstream/start-codes.js';
import { InputError } from '../../../src/errors.js';
import { encodeFrames } from '../../support/encode.js';

const SIZE = { width: 88, height: 56 };
const [MB_WIDTH, MB_HEIGHT] = [6, 4];
/** The bits of a slice before its first macroblock. */
const SLICE_HEADER_BITS = START_CODE_BITS + 6;

describe('readMacroblocks', () => {
  it.each([
    ['snow, B pictures, a slice a row', 'snow' as const, { q: 2, bFrames: 2, slices: 'rows' as const }],
    ['cuts at a bit rate, scales by macroblock', 'cut' as const, { bitrate: 150_000, aq: 2, bFrames: 2 }],
    ['noise, long levels', 'noise' as const, { q: 1, bFrames: 1 }],
  ])('reads types, vectors, scales and bits: %s', async (_, kind, options) => {
    const frames = [...generateSample({ kind, ...SIZE, frames: 9, seed: 3 })];
    const { units, reports, vectors } = await encodeFrames(frames, { ...SIZE, ...options });
    const isSkipped = (flags: number) => flags === 0;
    for (const [i, { data, displayNumber }] of units.entries()) {
      const at = reports.findIndex(({ frame }) => frame === displayNumber);
      const read = readMacroblocks(data, MB_WIDTH, MB_HEIGHT);
      const report = reports[at]!;
      expect(read.type).toBe(report.type);
      for (const [name, flag] of [['forward', 2] as const, ['backward', 4] as const]) {
        const found = Array.from(read.directions, (used, address) =>
          used & flag ? [read[name].dx[address], read[name].dy[address]] : null,
        );
        expect(found, `picture ${displayNumber}, ${name}`).toEqual(vectors[at]![name]);
      }
      expect([...read.types].filter(isSkipped).length).toBe(report.macroblocks.skipped);
      expect([...read.types].filter(flags => flags & 16).length).toBe(report.macroblocks.intra);
      const mean = read.scales.reduce((sum, scale) => sum + scale, 0) / read.scales.length;
      // Of macroblocks without coefficients the stream has no scale, but the coder means one.
      if ('q' in options || report.type === 'I') expect(mean).toBeCloseTo(report.q, 9);
      expect([...read.bits].map(isSkipped)).toEqual([...read.types].map(isSkipped));
      // All bits of the picture, but for headers, the ends of slices and sequence_end_code.
      const slices = 'slices' in options ? MB_HEIGHT : 1;
      const headers = 8 * startOfSlices(data) + slices * SLICE_HEADER_BITS;
      const ends = i === units.length - 1 ? 32 : 0;
      const left = 8 * data.length - headers - ends - read.bits.reduce((sum, bits) => sum + bits, 0);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left).toBeLessThan(8 * slices);
    }
  });

  it('refuses what is damaged, by an InputError', async () => {
    const frames = [...generateSample({ kind: 'snow', ...SIZE, frames: 2, seed: 3 })];
    const { units } = await encodeFrames(frames, SIZE);
    const { data } = units[0]!;
    expect(() => readMacroblocks(data.subarray(0, 8), MB_WIDTH, MB_HEIGHT)).toThrow(InputError);
    expect(() => readMacroblocks(data, 2, 2)).toThrow(/outside of the picture/);
    const damaged = data.slice();
    damaged.fill(0, startOfSlices(data) + 9, startOfSlices(data) + 14);
    expect(() => readMacroblocks(damaged, MB_WIDTH, MB_HEIGHT)).toThrow(InputError);
  });
});

/** The byte at which the first slice starts. */
function startOfSlices(data: Uint8Array): number {
  return Buffer.from(data).indexOf(Buffer.of(0, 0, 1, 1));
}
