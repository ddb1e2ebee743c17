// Tests of the report's plots by their texts.
import { describe, expect, it } from 'vitest';
import type { EstimatorRow } from '../../../src/compare/comparison/rows.js';
import { pictureBitsPlot } from '../../../src/compare/report/plots/picture-plots.js';

/** A row with what the plots read: value, bits and PSNR of each encode, and its pictures. */
function rowOf(estimator: string, points: readonly (readonly [number, number, number])[], pictures: unknown[] = []) {
  const encodes = points.map(([value, bits, y]) => ({ value, bits, psnr: { y }, pictures }));
  return { row: { estimator, encodes } as unknown as EstimatorRow, colour: '#000' };
}

describe('the plots of the report', () => {
  it('draw more pictures than a function takes arguments', () => {
    const pictures = Array.from({ length: 130_000 }, (_, frame) => ({ frame, type: 'I', bits: 1000 + (frame % 7) }));
    const plot = pictureBitsPlot([rowOf('zero', [[8, 1, 30]], pictures)], { value: 8, text: 'q 8' })!;
    expect(plot.frameCount).toBe(130_000);
  });
});
