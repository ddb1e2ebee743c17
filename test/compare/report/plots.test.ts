// Tests of the report's plots by their texts.
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../src/compare/comparison/compare-estimators.js';
import type { EstimatorRow } from '../../../src/compare/comparison/rows.js';
import { pictureBitsPlot } from '../../../src/compare/report/plots/picture-plots.js';
import { PSNR } from '../../../src/compare/report/plots/quality-measures.js';
import { savingPlot } from '../../../src/compare/report/plots/quality-plots.js';

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

  it('tell a saving between two points of the anchor alone', () => {
    const anchor = rowOf('zero', [
      [2, 800, 40],
      [4, 400, 38],
      [8, 100, 30],
    ]);
    const other = rowOf('cpu-log', [
      [2, 700, 41],
      [3, 100, 37],
      [4, 200, 30],
      [8, 50, 29],
    ]);
    const plot = savingPlot({ settings: { option: 'q' } } as unknown as Comparison, [anchor, other], PSNR)!;
    const told = [...plot.wide.svg.matchAll(/<title>(.*?)\n(.*?)\n(.*?)<\/title>/g)].map(([, ...lines]) => lines);
    expect(told).toEqual([
      ['zero, q 2', '40.00 dB', '0.00 % bits'],
      ['zero, q 4', '38.00 dB', '0.00 % bits'],
      ['zero, q 8', '30.00 dB', '0.00 % bits'],
      // ln(bits) of the anchor is linear from 100 at 30 dB to 400 at 38 dB.
      ['cpu-log, q 3', '37.00 dB', `${(100 * (100 / (100 * 4 ** (7 / 8)) - 1)).toFixed(2)} % bits`],
      ['cpu-log, q 4', '30.00 dB', '100.00 % bits'],
    ]);
  });
});
