// The tables of `compare` as comma-separated values.
import { describe, expect, it } from 'vitest';
import { encodesCsv, picturesCsv } from '../../../src/cli/compare/comparison-csv.js';
import { defaultEstimators } from '../../../src/cli/compare/default-estimators.js';
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
    bdRateVmafPercent: undefined,
    bdRates: { psnr: { cubic: 0, pchip: 1, akima: 2 }, ssim: NO_RATES, vmaf: NO_RATES },
    encodes: [],
    ...more,
  };
}

const ENCODE = {
  value: 70,
  bits: 12,
  vectorBits: 2,
  psnr: { ...PLANES, y: Number.POSITIVE_INFINITY },
  ssim: { y: 0.5, u: 0.6, v: 0.7, all: 0.8 },
  vmaf: 90,
  framesPerSecond: undefined,
  waitShare: undefined,
  setupMs: undefined,
  searchBusyMs: undefined,
  stages: undefined,
  runs: [],
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
    expect(header!.split(',').slice(10, 16)).toEqual([
      ...['bd_rate_psnr_percent', 'bd_rate_ssim_percent', 'bd_rate_vmaf_percent'],
      ...['bd_rate_psnr_cubic_percent', 'bd_rate_psnr_pchip_percent', 'bd_rate_psnr_akima_percent'],
    ]);
    expect(encode).toBe(
      '"./a,""b"".js",zero,"CPU, SIMD",finished,2,1,3,2,1,0.5,0,,,0,1,2,,,,,,,70,12,2,100,41,42,43,0.5,0.6,0.7,0.8,90,,,,,',
    );
    expect(none).toBe(`zero,zero,"CPU, SIMD",unsupported,2,1,3,,,,0,,,0,1,2${','.repeat(6)}${','.repeat(17)}`);
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
