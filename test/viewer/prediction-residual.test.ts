// Residuals are those of the standard's half-pel averages.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyMacroblocks } from '../../src/bitstream/reading/coded-macroblocks.js';
import type { Frame } from '../../src/picture/frame.js';
import { predictionResidual } from '../../src/viewer/prediction-residual.js';

describe('predictionResidual', () => {
  /**
   * A picture of one macroblock whose pels are those of `before` at a displacement in half-pels, by the standard's
   * averages.
   */
  it('vanishes where the prediction is exact, to half a pel', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }), fc.nat(255), (dx, dy, seed) => {
        const before = noise(48, 48, seed);
        const source = { ...before, y: displaced(before, dx, dy) };
        const macroblocks = macroblocksOf(3, 3, Array(9).fill(2), [dx, dy]);
        const residual = predictionResidual({ source, macroblocks, before, after: undefined });
        for (let y = 16; y < 32; y++) {
          for (let x = 16; x < 32; x++) expect(residual[y * 48 + x]).toBe(128);
        }
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it('is the doubled difference, and mid-gray in intra macroblocks', () => {
    const before = flat(32, 16, 100);
    const source = flat(32, 16, 110);
    const residual = predictionResidual({
      source,
      macroblocks: macroblocksOf(2, 1, [2, 16]),
      before,
      after: undefined,
    });
    expect(residual[0]).toBe(148);
    expect(residual[16]).toBe(128);
    const clipped = predictionResidual({
      source: flat(32, 16, 255),
      macroblocks: macroblocksOf(2, 1, [2, 8]),
      before,
      after: undefined,
    });
    expect(clipped[0]).toBe(255);
  });

  it('takes the rounded mean of both directions', () => {
    const residual = predictionResidual({
      source: flat(16, 16, 50),
      macroblocks: { ...macroblocksOf(1, 1, [6]), type: 'B' },
      before: flat(16, 16, 40),
      after: flat(16, 16, 61),
    });
    expect(residual[0]).toBe(128 + 2 * (50 - 51));
  });
});

function noise(width: number, height: number, seed: number): Frame {
  const y = Uint8Array.from(
    { length: width * height },
    (_, i) => (Math.imul(i + 1, 2654435761) >>> (8 + (seed % 16))) & 255,
  );
  const chroma = new Uint8Array((width * height) / 4);
  return { width, height, y, u: chroma, v: chroma };
}

function flat(width: number, height: number, value: number): Frame {
  const chroma = new Uint8Array((width * height) / 4);
  return { width, height, y: new Uint8Array(width * height).fill(value), u: chroma, v: chroma };
}

/** Luma moved by half-pels, the average of as many pels as lie around the place, halves rounded up. */
function displaced({ width, height, y: luma }: Frame, dx: number, dy: number): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, at) => {
    const x2 = 2 * (at % width) + dx;
    const y2 = 2 * Math.floor(at / width) + dy;
    const columns = [Math.floor(x2 / 2), Math.ceil(x2 / 2)];
    const rows = [Math.floor(y2 / 2), Math.ceil(y2 / 2)];
    const inside = (value: number, length: number) => Math.max(0, Math.min(length - 1, value));
    let sum = 0;
    for (const row of rows) {
      for (const column of columns) sum += luma[inside(row, height) * width + inside(column, width)]!;
    }
    return Math.floor(sum / 4 + 0.5);
  });
}

/** A P picture whose macroblocks have these types and all the same vector. */
function macroblocksOf(mbWidth: number, mbHeight: number, types: readonly number[], [dx, dy] = [0, 0]) {
  const macroblocks = emptyMacroblocks('P', mbWidth, mbHeight);
  macroblocks.types.set(types);
  macroblocks.directions.set(types.map(type => (type & 16 ? 0 : type & 6 || 2)));
  macroblocks.forward.dx.fill(dx!);
  macroblocks.forward.dy.fill(dy!);
  return macroblocks;
}
