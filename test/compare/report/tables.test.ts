// The report's tables and plots of BD-rates and of VMAF.
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../src/compare/comparison/compare-estimators.js';
import type { EncodeRow, EstimatorRow } from '../../../src/compare/comparison/rows.js';
import { reportPlots } from '../../../src/compare/report/plots/report-plots.js';
import { bdRateTable, encodeTable, summaryTable } from '../../../src/compare/report/tables.js';

const encodeAt = (value: number, vmaf: number | undefined): EncodeRow => ({
  value,
  bits: 1000 * value,
  vectorBits: 10,
  psnr: { y: 30 + value, u: 40, v: 40, all: 35 },
  ssim: { y: 0.8 + 0.01 * value, u: 0.9, v: 0.9, all: 0.9 },
  vmaf,
  framesPerSecond: undefined,
  waitShare: undefined,
  setupMs: undefined,
  searchBusyMs: undefined,
  stages: undefined,
  runs: [],
  pictures: [],
});

const ROW: EstimatorRow = {
  estimator: 'cpu-log',
  name: 'cpu-log',
  device: 'CPU',
  passedOver: [],
  outcome: 'finished',
  reason: undefined,
  searchMs: undefined,
  searchSpeedRatio: undefined,
  fields: undefined,
  encodes: [encodeAt(4, 61.25), encodeAt(8, undefined), encodeAt(12, 93.5)],
  bdRatePercent: -1,
  bdRateSsimPercent: -2,
  bdRateVmafPercent: -3,
  bdRates: {
    psnr: { cubic: undefined, pchip: -1, akima: -1.5 },
    ssim: { cubic: undefined, pchip: -2, akima: -2.5 },
    vmaf: { cubic: undefined, pchip: -3, akima: -3.5 },
  },
};

const WITH_VMAF: Comparison = {
  width: 16,
  height: 16,
  frames: 2,
  framesPerSecond: 25,
  settings: { option: 'q', values: [4, 8, 12] },
  runs: 1,
  bdMethod: undefined,
  vmafLeftOut: undefined,
  rows: [ROW],
  interrupted: false,
};
const WITHOUT_VMAF = { ...WITH_VMAF, vmafLeftOut: 'there is no ffmpeg' };

/** The texts of the header and of the cells, without the name of each row. */
function texts(table: string): { header: string[]; cells: string[][] } {
  const inside = (html: string, tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, 'gs'))].map(match => match[1]!);
  const [header, ...rows] = inside(table, 'tr');
  return { header: inside(header!, 'th').slice(1), cells: rows.map(row => inside(row, 'td')) };
}

describe('the tables of the report', () => {
  it('give BD-rates by every method, over VMAF where it was measured', () => {
    expect(texts(bdRateTable(WITH_VMAF))).toEqual({
      header: ['PSNR', 'SSIM', 'VMAF'].flatMap(name => ['cubic', 'pchip', 'akima'].map(method => `${name}, ${method}`)),
      cells: [['–', '−1.00 %', '−1.50 %', '–', '−2.00 %', '−2.50 %', '–', '−3.00 %', '−3.50 %']],
    });
    expect(texts(bdRateTable(WITHOUT_VMAF)).cells).toEqual([['–', '−1.00 %', '−1.50 %', '–', '−2.00 %', '−2.50 %']]);
  });

  it('have columns of VMAF where it was measured, and a dash for an encode where it failed', () => {
    const summary = texts(summaryTable(WITH_VMAF));
    expect(summary.header.slice(4, 7)).toEqual(['BD-rate', 'BD-rate, SSIM', 'BD-rate, VMAF']);
    expect(summary.cells[0]!.slice(4, 7)).toEqual(['−1.00 %', '−2.00 %', '−3.00 %']);
    expect(texts(encodeTable(WITH_VMAF)).cells.map(cells => cells.at(-1))).toEqual(['61.25', '–', '93.50']);
    expect(texts(summaryTable(WITHOUT_VMAF)).header).toHaveLength(summary.header.length - 1);
    expect(texts(encodeTable(WITHOUT_VMAF)).header.at(-1)).toBe('SSIM');
  });
});

it('plots VMAF where it was measured', () => {
  const ids = reportPlots(WITH_VMAF, 8).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['rate-distortion', 'rate-distortion-ssim', 'rate-distortion-vmaf']));
  const unmeasured = ROW.encodes.map(encode => ({ ...encode, vmaf: undefined }));
  const without = reportPlots({ ...WITHOUT_VMAF, rows: [{ ...ROW, encodes: unmeasured }] }, 8).map(({ id }) => id);
  expect(without).toContain('rate-distortion');
  expect(without).not.toContain('rate-distortion-vmaf');
});
