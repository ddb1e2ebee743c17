import type { StageTimes } from '../../encoder/report/statistics.js';
import { InputError } from '../../errors.js';
import { bdRate } from '../quality/bd-rate.js';
import type { Contender, ContenderEncode, TimedEncode } from './compare-estimators.js';
import type { QualityEncode } from './encode.js';
import type { FieldStudy } from './search.js';

/** The middle of several measurements, and their extremes. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}

/** All there is to say of one estimator. What was not finished is undefined or missing. */
export interface EstimatorRow {
  /** As asked for: a name or a module path. */
  readonly estimator: string;
  /** What it calls itself, and what it ran on; '' where it never ran. */
  readonly name: string;
  readonly device: string;
  /** What `auto` tried before it. */
  readonly passedOver: readonly { readonly name: string; readonly reason: string }[];
  /** `unsupported`: this machine cannot run it; `failed`: it began and broke. The reason is there unless finished. */
  readonly outcome: 'finished' | 'unsupported' | 'failed';
  readonly reason: string | undefined;
  /** Time of a search by itself, a pair at a time, in milliseconds; a measurement is a run's mean over all pairs. */
  readonly searchMs: Spread | undefined;
  readonly fields: FieldStudy | undefined;
  readonly encodes: readonly EncodeRow[];
  /** More bits at equal PSNR-Y than the first estimator, in per cent; undefined where there are too few encodes. */
  readonly bdRatePercent: number | undefined;
}

/** The encodes of an estimator at one quantizer. */
export interface EncodeRow extends QualityEncode {
  readonly q: number;
  /** Pictures per second, set-up excluded; undefined before the first timed run, as are the others. */
  readonly framesPerSecond: Spread | undefined;
  /** Share of the encode's time, 0..1, that the coder waited for vectors. */
  readonly waitShare: Spread | undefined;
  readonly setupMs: Spread | undefined;
  /** Time of a search during the encode, beside the coder's own work, in whatever thread or device. */
  readonly searchBusyMs: Spread | undefined;
  /** Main-thread time of a picture by stage, in milliseconds, of the run with the median speed; `otherMs` is the rest. */
  readonly stages: (StageTimes & { readonly otherMs: number }) | undefined;
  readonly runs: readonly TimedEncode[];
}

/** The row of a contender after encodes of `frames` pictures. */
export function estimatorRow(contender: Contender, frames: number): EstimatorRow {
  const { estimator, name, device, passedOver, outcome, reason, study, searchMs, encodes } = contender;
  return {
    estimator,
    name,
    device,
    passedOver,
    outcome,
    reason,
    searchMs: spread(searchMs),
    fields: study,
    encodes: [...encodes].map(([q, encode]) => encodeRow(q, encode, frames)),
    bdRatePercent: undefined,
  };
}

/** The rows with their BD-rate against the first one's curve, over PSNR-Y. */
export function withBdRates(rows: readonly EstimatorRow[]): EstimatorRow[] {
  return rows.map(row => ({ ...row, bdRatePercent: bdRateOf(rows[0]!, row) }));
}

/** Median, least and greatest; undefined of nothing. */
export function spread(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
  return { median: middle, least: sorted[0]!, greatest: sorted.at(-1)! };
}

function encodeRow(q: number, { quality, runs }: ContenderEncode, frames: number): EncodeRow {
  return {
    q,
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

/** With four points or more the cubic of VCEG-M33, with two or three the piecewise curve. */
function bdRateOf(anchor: EstimatorRow, row: EstimatorRow): number | undefined {
  const qs = row.encodes.map(({ q }) => q).filter(q => anchor.encodes.some(encode => encode.q === q));
  const curve = ({ encodes }: EstimatorRow) =>
    encodes.filter(({ q }) => qs.includes(q)).map(({ bits, psnr }) => ({ bits, psnrDb: psnr.y }));
  try {
    return bdRate(curve(anchor), curve(row), qs.length >= 4 ? 'cubic' : 'pchip');
  } catch (error) {
    // Too few points, equal ones, or curves that do not meet: then there is no such figure.
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
