// The results of a comparison: a row for each estimator, and its encodes.
import type { StageTimes } from '../../encoder/report/statistics.js';
import { InputError } from '../../errors.js';
import { type BdMethod, bdRate } from '../quality/bd-rate.js';
import { ssimInDb } from '../quality/ssim.js';
import type { Contender, ContenderEncode } from './contender.js';
import type { QualityEncode, TimedEncode } from './encode.js';
import type { ComparisonJob } from './job.js';
import type { FieldStudy } from './search.js';
import { type Spread, spread } from './spread.js';

/** The results of one estimator. What was not finished is undefined or missing. */
export interface EstimatorRow
  extends Readonly<Pick<Contender, 'estimator' | 'name' | 'device' | 'passedOver' | 'outcome' | 'reason'>> {
  /** Time of a search without an encode, in milliseconds; each measurement is the mean over all pairs in one run. */
  readonly searchMs: Spread | undefined;
  /** How many times as fast the search is as that of the first estimator. */
  readonly searchSpeedRatio: number | undefined;
  readonly fields: FieldStudy | undefined;
  readonly encodes: readonly EncodeRow[];
  /** How many per cent more bits it needs at equal PSNR-Y than the first estimator; undefined if that is unknown. */
  readonly bdRatePercent: number | undefined;
  /** The same at equal SSIM-Y in dB, and at equal VMAF. */
  readonly bdRateSsimPercent: number | undefined;
  readonly bdRateVmafPercent: number | undefined;
  /** All of these by each method. */
  readonly bdRates: BdRates;
}

/** The qualities over which BD-rates are taken: PSNR-Y in dB, SSIM-Y in dB, VMAF. */
const QUALITIES = {
  psnr: ({ psnr }: EncodeRow) => psnr.y,
  ssim: ({ ssim }: EncodeRow) => ssimInDb(ssim.y),
  vmaf: ({ vmaf }: EncodeRow) => vmaf ?? Number.NaN,
} as const;

/** BD-rates in per cent by quality and method; undefined where the curves do not allow one. */
export type BdRates = Readonly<Record<keyof typeof QUALITIES, Readonly<Record<BdMethod, number | undefined>>>>;

/** The encodes of an estimator at one setting. What was not timed is undefined. */
export interface EncodeRow extends QualityEncode {
  /** The value of the settings. */
  readonly value: number;
  /** Pictures per second, without the set-up. */
  readonly framesPerSecond: Spread | undefined;
  /** Share of the encode's time, 0..1, in which the coder waited for vectors. */
  readonly waitShare: Spread | undefined;
  readonly setupMs: Spread | undefined;
  /** Time of a search during the encode, in its thread or on its device, while the coder also works. */
  readonly searchBusyMs: Spread | undefined;
  /** Main-thread time of a picture by stage, in the run of median speed; `otherMs` is the rest of the encode's time. */
  readonly stages: (StageTimes & { readonly otherMs: number }) | undefined;
  readonly runs: readonly TimedEncode[];
}

/** The rows of the contenders of a job. */
export function estimatorRows(contenders: readonly Contender[], { frames, bdMethod }: ComparisonJob): EstimatorRow[] {
  const rows = contenders.map(({ study, searchMs, encodes, ...contender }) => ({
    ...contender,
    searchMs: spread(searchMs),
    fields: study,
    encodes: [...encodes].map(([value, encode]) => encodeRow(value, encode, frames.length)),
  }));
  const first = rows[0]!;
  return rows.map(row => {
    const bdRates = bdRatesOf(first.encodes, row.encodes);
    const chosen = (rates: BdRates['psnr']) =>
      bdMethod === undefined ? (rates.cubic ?? rates.pchip) : rates[bdMethod];
    return {
      ...row,
      searchSpeedRatio: row.searchMs && first.searchMs && first.searchMs.median / row.searchMs.median,
      bdRatePercent: chosen(bdRates.psnr),
      bdRateSsimPercent: chosen(bdRates.ssim),
      bdRateVmafPercent: chosen(bdRates.vmaf),
      bdRates,
    };
  });
}

function encodeRow(value: number, { quality, runs }: ContenderEncode, frames: number): EncodeRow {
  return {
    value,
    ...quality,
    framesPerSecond: spread(runs.map(run => (1000 * frames) / run.encodeMs)),
    waitShare: spread(runs.map(run => run.waitMs / run.encodeMs)),
    setupMs: spread(runs.map(run => run.setupMs)),
    searchBusyMs: spread(runs.map(run => run.searchBusyMs / Math.max(1, run.searches))),
    stages: stagesOf(runs, frames),
    runs,
  };
}

function stagesOf(runs: readonly TimedEncode[], frames: number): EncodeRow['stages'] {
  const middle = [...runs].sort((a, b) => a.encodeMs - b.encodeMs)[(runs.length - 1) >> 1];
  if (!middle) return undefined;
  const { stages, encodeMs } = middle;
  const { inputMs, motionMs, codingMs, writingMs } = stages;
  const otherMs = Math.max(0, encodeMs - inputMs - motionMs - codingMs - writingMs);
  return {
    inputMs: inputMs / frames,
    motionMs: motionMs / frames,
    codingMs: codingMs / frames,
    writingMs: writingMs / frames,
    otherMs: otherMs / frames,
  };
}

/** All BD-rates of two estimators, from the encodes at their common settings. */
function bdRatesOf(anchor: readonly EncodeRow[], test: readonly EncodeRow[]): BdRates {
  const common = test.map(({ value }) => value).filter(value => anchor.some(encode => encode.value === value));
  const curve = (encodes: readonly EncodeRow[], qualityOf: (encode: EncodeRow) => number) =>
    encodes
      .filter(({ value }) => common.includes(value))
      .map(encode => ({ bits: encode.bits, quality: qualityOf(encode) }));
  const ofQuality = (qualityOf: (encode: EncodeRow) => number) => {
    const curves = [curve(anchor, qualityOf), curve(test, qualityOf)] as const;
    const by = (method: BdMethod) => unlessImpossible(() => bdRate(...curves, method));
    return { cubic: by('cubic'), pchip: by('pchip'), akima: by('akima') };
  };
  return { psnr: ofQuality(QUALITIES.psnr), ssim: ofQuality(QUALITIES.ssim), vmaf: ofQuality(QUALITIES.vmaf) };
}

/** Undefined for too few points, points of equal quality, and curves without a common range: there is no BD-rate. */
function unlessImpossible(measure: () => number): number | undefined {
  try {
    return measure();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
