// The options of semi-global matching: names, limits, defaults, and the penalties that follow from them.
import { InputError, OptionError } from '../errors.js';
import { inWords } from '../given-options.js';
import {
  CENSUS_COST,
  INTERVAL_COST,
  MAX_PATH_PENALTY,
  MAX_STEREO_RANGE,
  RANGE_STEP,
} from '../kernels/records/stereo-job.js';
import { suggestion } from '../nearest-name.js';

/** The names of {@link CostName}. */
export const COST_NAMES = ['census-bt', 'census', 'bt'] as const;

/**
 * What matches are judged by: `census`, which neighbours are brighter than a pel; `bt`, the difference of pels after
 * Birchfield and Tomasi; `census-bt`, the sum of both.
 */
export type CostName = (typeof COST_NAMES)[number];

/** The parts of each cost, as bits of a STEREO_JOB. */
export const PARTS_OF_COST: Readonly<Record<CostName, number>> = {
  'census-bt': CENSUS_COST | INTERVAL_COST,
  census: CENSUS_COST,
  bt: INTERVAL_COST,
};

/** What a matcher is made with; fixed for its lifetime. */
export interface StereoOptions {
  /** Disparities 0..range - 1 are tried: a multiple of 16, 16..256, at most the width; default 64. */
  readonly range?: number | undefined;
  /** Default `census-bt`. */
  readonly cost?: CostName | undefined;
  /** The penalty where the disparity changes by 1 from a pel to the next, 0..200 and at most `p2`; default 15. */
  readonly p1?: number | undefined;
  /** The penalty where it changes by more, from P1 to 200; default 100. At edges of the picture it is lower. */
  readonly p2?: number | undefined;
  /** False leaves what the right picture does not show unknown; default true. */
  readonly fill?: boolean | undefined;
}

/** Options with their defaults filled in. */
export type StereoSettings = { readonly [Name in keyof StereoOptions]-?: NonNullable<StereoOptions[Name]> };

/** The defaults. They give the fewest bad pels on Middlebury's cones among those tried; docs/stereo.md has figures. */
export const STEREO_DEFAULTS: StereoSettings = { range: 64, cost: 'census-bt', p1: 15, p2: 100, fill: true };

/** P2 is halved where two pels differ by this. */
const HALVING_DIFFERENCE = 8;

/** The legal ranges in words. */
const LEGAL_RANGES = `multiples of ${RANGE_STEP} from ${RANGE_STEP} to ${MAX_STEREO_RANGE}`;

/** The settings of options. Throws OptionError for a value out of its limits. */
export function stereoSettings(options: StereoOptions = {}): StereoSettings {
  const { range, cost, p1, p2, fill } = STEREO_DEFAULTS;
  const settings: StereoSettings = {
    range: options.range ?? range,
    cost: options.cost ?? cost,
    p1: options.p1 ?? p1,
    p2: options.p2 ?? p2,
    fill: options.fill ?? fill,
  };
  check(settings);
  return settings;
}

function check({ range, cost, p1, p2, fill }: StereoSettings): void {
  if (!Number.isInteger(range) || range < RANGE_STEP || range > MAX_STEREO_RANGE || range % RANGE_STEP !== 0) {
    throw new OptionError('range', named => `${named('range')} is ${range}; legal: ${LEGAL_RANGES}`);
  }
  if (!COST_NAMES.includes(cost)) {
    const legal = COST_NAMES.join(', ');
    const typo = typeof cost === 'string' ? suggestion(cost, COST_NAMES) : '';
    throw new OptionError('cost', named => `${named('cost')} is '${cost}'${typo}; legal: ${legal}`);
  }
  requirePenalty('p1', p1, 0);
  requirePenalty('p2', p2, p1);
  if (typeof fill === 'boolean') return;
  throw new OptionError('fill', named => `${named('fill')} is ${inWords(fill)}; legal: true, false`);
}

function requirePenalty(option: 'p1' | 'p2', value: number, min: number): void {
  if (Number.isInteger(value) && value >= min && value <= MAX_PATH_PENALTY) return;
  const bounds = option === 'p2' ? `${min} (P1) to ${MAX_PATH_PENALTY}` : `${min} to ${MAX_PATH_PENALTY}`;
  throw new OptionError(option, named => `${named(option)} is ${value}; legal: whole numbers from ${bounds}`);
}

/** P2 by the difference of two pels, 0..255: P2 at 0, half of it at 8, but not below 2 * P1, and never above P2. */
export function penaltiesByDifference({ p1, p2 }: StereoSettings): Uint8Array {
  const least = Math.min(p2, 2 * p1);
  return Uint8Array.from({ length: 256 }, (_, difference) =>
    Math.max(least, Math.floor((p2 * HALVING_DIFFERENCE) / (HALVING_DIFFERENCE + difference))),
  );
}

/** Throws an InputError unless the picture is at least as wide as the range. */
export function requireRoomForRange(width: number, { range }: StereoSettings): void {
  if (range <= width) return;
  throw new InputError(
    named => `the pictures are ${width} pels wide, but ${named('range')} is ${range}: at most the width is possible`,
  );
}
