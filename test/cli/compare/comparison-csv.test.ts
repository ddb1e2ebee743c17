// The tables of `compare`, for people and as comma-separated values, its JSON, and where its figures come from.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compareJson } from '../../../src/cli/compare/compare-report.js';
import { compareTables } from '../../../src/cli/compare/compare-table.js';
import { encodesCsv, picturesCsv } from '../../../src/cli/compare/comparison-csv.js';
import { defaultEstimators } from '../../../src/cli/compare/default-estimators.js';
import { reportDate, reportOrigin } from '../../../src/cli/compare/report-origin.js';
import { Warnings } from '../../../src/cli/warnings.js';
import type { Comparison } from '../../../src/compare/comparison/compare-estimators.js';
import type { EstimatorRow } from '../../../src/compare/comparison/rows.js';

const PLANES = { y: 40, u: 41, v: 42, all: 43 };
const PICTURE = { type: 'P' as const, bits: 5, vectorBits: 2, macroblocks: { intra: 1, predicted: 2, skipped: 3 } };

const NO_RATES = { cubic: undefined, pchip: undefined, akima: undefined };

function rowOf(more: Partial<EstimatorRow>): EstimatorRow {
  return {
    estimator: 'zero',
    name: 'zero',
    device: 'CPU, SIMD',
    passedOver: [],
    outcome: 'finished',
    reason: undefined,
    searchMs: { median: 2, least: 1, greatest: 3 },
    searchSpeedRatio: 1,
    fields: { pairs: 1, sadPerPelBefore: 2, sadPerPelAfter: 1, agreement: 0.5 },
    bdRatePercent: 0,
    bdRateSsimPercent: undefined,
    bdRateVmafPercent: 4,
    bdRates: { psnr: { cubic: 0, pchip: 1, akima: 2 }, ssim: NO_RATES, vmaf: { cubic: 3, pchip: 4, akima: 5 } },
    encodes: [],
    ...more,
  };
}

const STAGES = { inputMs: 1, motionMs: 2, codingMs: 3, writingMs: 4 };

const ENCODE = {
  value: 70,
  bits: 12,
  vectorBits: 2,
  psnr: { ...PLANES, y: Number.POSITIVE_INFINITY },
  ssim: { y: 0.5, u: 0.6, v: 0.7, all: 0.8 },
  vmaf: 90,
  framesPerSecond: { median: 22, least: 21.5, greatest: 23 },
  waitShare: { median: 0.25, least: 0.2, greatest: 0.3 },
  setupMs: { median: 8, least: 7, greatest: 9 },
  searchBusyMs: { median: 5, least: 4, greatest: 6 },
  stages: { ...STAGES, otherMs: 5 },
  runs: [{ setupMs: 7, encodeMs: 80, waitMs: 6, searchBusyMs: 5, searches: 1, stages: STAGES }],
  pictures: [
    { ...PICTURE, frame: 0, psnrY: Number.POSITIVE_INFINITY, ssimY: 1 },
    { ...PICTURE, frame: 1, psnrY: 30.5, ssimY: 0.25 },
  ],
};

const COMPARISON: Comparison = {
  width: 32,
  height: 32,
  frames: 2,
  framesPerSecond: 25,
  settings: { option: 'quality', values: [70] },
  runs: 1,
  bdMethod: undefined,
  vmafLeftOut: undefined,
  rows: [rowOf({ estimator: './a,"b".js', encodes: [ENCODE] }), rowOf({ outcome: 'unsupported', fields: undefined })],
  interrupted: false,
};

describe('picturesCsv', () => {
  it('has a row for each picture, quoted as RFC 4180 wants, and 100 dB for equal pictures', () => {
    expect(picturesCsv(COMPARISON)).toBe(
      'estimator,quality,picture,type,bits,vector_bits,psnr_y_db,ssim_y,' +
        'intra_macroblocks,predicted_macroblocks,skipped_macroblocks\r\n' +
        '"./a,""b"".js",70,0,P,5,2,100,1,1,2,3\r\n' +
        '"./a,""b"".js",70,1,P,5,2,30.5,0.25,1,2,3\r\n',
    );
  });
});

describe('encodesCsv', () => {
  it('has a row for each encode, and an empty one for an estimator without encodes', () => {
    const [header, encode, none, end] = encodesCsv(COMPARISON).split('\r\n');
    expect(end).toBe('');
    expect(header!.split(',').slice(-17, -13)).toEqual(['quality', 'bits', 'vector_bits', 'psnr_y_db']);
    expect(header!.split(',').slice(-5)).toEqual([
      ...['pictures_per_s_median', 'pictures_per_s_least', 'pictures_per_s_greatest'],
      ...['wait_share_median', 'setup_ms_median'],
    ]);
    expect(header!.split(',').slice(10, 16)).toEqual([
      ...['bd_rate_psnr_percent', 'bd_rate_ssim_percent', 'bd_rate_vmaf_percent'],
      ...['bd_rate_psnr_cubic_percent', 'bd_rate_psnr_pchip_percent', 'bd_rate_psnr_akima_percent'],
    ]);
    expect(encode).toBe(
      '"./a,""b"".js",zero,"CPU, SIMD",finished,2,1,3,2,1,0.5,0,,4,0,1,2,,,,3,4,5,70,12,2,100,41,42,43,0.5,0.6,0.7,0.8,90,22,21.5,23,0.25,8',
    );
    expect(none).toBe(`zero,zero,"CPU, SIMD",unsupported,2,1,3,,,,0,,4,0,1,2,,,,3,4,5${','.repeat(17)}`);
  });
});

describe('a comparison that was interrupted', () => {
  const row = rowOf({
    ...{ estimator: 'auto', name: 'cpu-full', searchMs: { median: 2, least: 2, greatest: 2 }, bdRatePercent: -1.5 },
    passedOver: [{ name: 'gpu-full', reason: 'there is no GPU' }],
    encodes: [{ ...ENCODE, vmaf: undefined, framesPerSecond: undefined, stages: undefined }],
  });
  const lost = rowOf({ ...{ outcome: 'failed' as const, reason: 'zero: it broke', device: '' }, fields: undefined });
  const machine = { cpu: 'a CPU', threads: 2, node: 'v20', gpu: null, ffmpeg: null };
  const result = {
    comparison: { ...COMPARISON, rows: [row, lost], settings: { option: 'quality' as const, values: [50, 70] } },
    origin: { version: '1', date: 'today', commandLine: 'mpegpu', inputBytes: null, machine },
    ...{ input: 'in.y4m', encoder: {}, report: 'out.html', csv: 'out.csv' },
  };
  result.comparison = { ...result.comparison, interrupted: true };

  it('has its tables, in which what is not known is a dash and equal pictures have 100 dB', () => {
    expect(compareTables(result)).toBe(`in.y4m: 2 frames, 32x32; 1 timed run

estimator  search ms/picture  speed  SAD/pel  agrees  BD-rate  by SSIM  by VMAF  runs on
auto                    2.00  1.00x    1.000  50.0 %  -1.50 %        -  +4.00 %  cpu-full, CPU, SIMD
zero       2.00 (1.00..3.00)  1.00x        -       -  +0.00 %        -  +4.00 %  -

BD-rate by  PSNR cubic  PSNR pchip  PSNR akima  SSIM cubic  SSIM pchip  SSIM akima  VMAF cubic  VMAF pchip  VMAF akima
auto           +0.00 %     +1.00 %     +2.00 %           -           -           -     +3.00 %     +4.00 %     +5.00 %
zero           +0.00 %     +1.00 %     +2.00 %           -           -           -     +3.00 %     +4.00 %     +5.00 %

quality 70  frames/s  waiting  bits  vector bits  PSNR Y      U      V    all    SSIM  VMAF
auto               -   25.0 %    12            2  100.00  41.00  42.00  43.00  0.8000     -

zero failed: it broke

interrupted: what was not finished is missing

Times are of this machine (a CPU, 2 threads): only their ratios mean something elsewhere.

report: out.html

pictures: out.csv
`);
  });

  it('is JSON, in which what is not known is null and equal pictures have 100 dB', () => {
    const { estimators, ...json } = JSON.parse(compareJson(result, new Warnings({})));
    expect(json).toMatchObject({ interrupted: true, vmafLeftOut: null, bdMethod: null, report: 'out.html' });
    expect(estimators[0]).toMatchObject({
      ...{ reason: null, passedOver: row.passedOver, bdRatePercent: -1.5, bdRateSsimPercent: null, agreement: 0.5 },
      encodes: [{ psnr: { y: 100, u: 41 }, vmaf: null, fps: null, stagesMs: null, pictures: [{ psnrY: 100 }, {}] }],
    });
    expect(estimators[1]).toMatchObject({ reason: 'zero: it broke', pairs: null, sadPerPelAfter: null, encodes: [] });
  });
});

describe('a comparison that was finished', () => {
  const rates = { ...NO_RATES, pchip: 6 };
  const row = rowOf({ encodes: [ENCODE], searchSpeedRatio: 1.5, bdRateSsimPercent: 6, bdRateVmafPercent: undefined });
  const comparison = { ...COMPARISON, runs: 3, settings: { option: 'q' as const, values: [70] }, vmafLeftOut: 'so' };
  const machine = { cpu: 'a CPU', threads: 2, node: 'v20', gpu: null, ffmpeg: null };
  const result = {
    origin: { version: '1', date: 'today', commandLine: 'mpegpu', inputBytes: 9, machine },
    ...{ input: 'in\n.y4m', encoder: { gop: 5 }, report: undefined, csv: undefined },
  };

  it('has its tables without VMAF, and none of BD-rates where no curves could be compared', () => {
    const rows = [{ ...row, bdRates: { psnr: NO_RATES, ssim: NO_RATES, vmaf: NO_RATES } }];
    expect(
      compareTables({ ...result, comparison: { ...comparison, rows } }),
    ).toBe(`in?.y4m: 2 frames, 32x32; 3 timed runs in turn, median (least..greatest)

estimator  search ms/picture  speed  SAD/pel  agrees  BD-rate  by SSIM  runs on
zero       2.00 (1.00..3.00)  1.50x    1.000  50.0 %  +0.00 %  +6.00 %  CPU, SIMD

q 70           frames/s  waiting  bits  vector bits  PSNR Y      U      V    all    SSIM
zero  22.0 (21.5..23.0)   25.0 %    12            2  100.00  41.00  42.00  43.00  0.8000

VMAF is left out: so

Times are of this machine (a CPU, 2 threads): only their ratios mean something elsewhere.
`);
  });

  it('is JSON with every figure', () => {
    const rows = [{ ...row, bdRates: { ...row.bdRates, ssim: rates } }];
    const warnings = new Warnings({ quiet: true });
    warnings.add('look out');
    const { value: _, framesPerSecond, stages, ...encode } = ENCODE;
    const { fields, encodes: __, bdRates, ...estimator } = row;
    expect(JSON.parse(compareJson({ ...result, comparison: { ...comparison, rows } }, warnings))).toEqual({
      ...{ version: '1', date: 'today', commandLine: 'mpegpu', input: 'in\n.y4m', inputBytes: 9 },
      ...{ width: 32, height: 32, frames: 2, frameRate: 25, quantisers: [70], settings: comparison.settings },
      ...{ repeat: 3, bdMethod: null, vmafLeftOut: 'so', options: { gop: 5 }, machine, interrupted: false },
      ...{ report: null, csv: null, warnings: ['look out'] },
      estimators: [
        {
          ...estimator,
          ...fields,
          ...{ reason: null, bdRateVmafPercent: null },
          bdRatesPercent: { ...bdRates, ssim: { cubic: null, pchip: 6, akima: null } },
          encodes: [
            {
              ...encode,
              ...{ q: 70, quality: null, bitrate: null, fps: framesPerSecond, stagesMs: stages },
              psnr: { ...PLANES, y: 100 },
              pictures: ENCODE.pictures.map(({ psnrY, ...rest }) => ({ ...rest, psnrY: Math.min(psnrY, 100) })),
            },
          ],
        },
      ],
    });
  });
});

describe('reportOrigin', () => {
  afterEach(() => void vi.unstubAllEnvs());
  const originOf = (adapters: object[]) => {
    const args = ['compare', "it's", 'a b', '*.png', '90%@+=:,/-_.x'];
    return reportOrigin({
      version: '1',
      date: reportDate(),
      args,
      input: import.meta.dirname,
      gpu: Promise.resolve({ adapters } as never),
    });
  };

  it('quotes for a shell, gives a folder no size, and tells software from a GPU', async () => {
    vi.stubEnv('SOURCE_DATE_EPOCH', '');
    vi.stubEnv('FFMPEG_PATH', import.meta.filename);
    const software = { name: 'SwiftShader', software: true };
    const origin = await originOf([{ name: 'A GPU', software: false }, software]);
    expect(origin).toMatchObject({
      commandLine: `mpegpu compare 'it'\\''s' 'a b' '*.png' 90%@+=:,/-_.x`,
      inputBytes: null,
    });
    expect(origin.machine).toMatchObject({ gpu: 'A GPU, SwiftShader (software)', ffmpeg: null });
    expect(Math.abs(Date.parse(origin.date) - Date.now())).toBeLessThan(60_000);
    expect((await originOf([])).machine.gpu).toBeNull();
  });

  it.each(['1234567890123', '-1', '9999999999999999'])('refuses the time %s', time => {
    vi.stubEnv('SOURCE_DATE_EPOCH', time);
    expect(reportDate).toThrow(`SOURCE_DATE_EPOCH is '${time}': it must be a time in seconds`);
  });
});

describe('defaultEstimators', () => {
  const adapter = (software: boolean) => ({ software }) as never;

  it('puts the thorough searches on a real GPU, on the CPU where there is none', () => {
    const onCpu = ['zero', 'cpu-log', 'cpu-predictive', 'cpu-mrmp', 'cpu-full'];
    expect(defaultEstimators({ adapters: [] })).toEqual(onCpu);
    expect(defaultEstimators({ adapters: [adapter(true)] })).toEqual(onCpu);
    expect(defaultEstimators({ adapters: [adapter(true), adapter(false)] })).toEqual([
      ...['zero', 'cpu-log', 'cpu-predictive', 'gpu-mrmp', 'gpu-full'],
    ]);
  });
});
