// Two passes in chunks: what the first pass of each finds, and what each may take in the second.
import type { PictureType } from '../bitstream/picture-type.js';
import { complexityOf } from '../encoder/rate-control/forecast/picture-complexity.js';
import { baseScaleFor, bitsAtBaseScale } from '../encoder/rate-control/forecast/rate-forecast.js';
import type { PassStatistics } from '../encoder/rate-control/pass-statistics.js';
import { MIN_BIT_RATE } from '../encoder/rate-control/rate-settings.js';
import { InputError } from '../errors.js';
import { type ChunkPlan, type FirstPassPicture, makePlan, readPlan } from './chunk-plan.js';
import { allInOrder } from './chunk-set.js';
import { canonicalJson, hashOfText } from './content-hash.js';

const MEASUREMENT_FORMAT = 'mpegpu first pass';

/** What the first pass of a chunk finds. Plain JSON. */
export interface ChunkMeasurement {
  readonly format: string;
  /** Identity of the plan. */
  readonly plan: string;
  readonly index: number;
  /** In coded order. */
  readonly pictures: readonly FirstPassPicture[];
  /** Hash of the other fields. */
  readonly hash: string;
}

/** The measurement of a chunk with these pass statistics. */
export function makeMeasurement({ identity }: ChunkPlan, index: number, statistics: PassStatistics): ChunkMeasurement {
  const pictures = statistics.map(({ type, bits, quantizerScale }) => [type, bits, quantizerScale] as const);
  const contents = { format: MEASUREMENT_FORMAT, plan: identity, index, pictures };
  return { ...contents, hash: hashOfText(canonicalJson(contents)) };
}

/** A measurement that was kept as JSON. Throws an InputError that begins with `name` if it is none, or damaged. */
export function readMeasurement(value: unknown, name: string): ChunkMeasurement {
  const { format, plan, index, pictures, hash }: Partial<ChunkMeasurement> = Object(value);
  if (format !== MEASUREMENT_FORMAT) {
    throw new InputError(
      named => `${name} holds no statistics of a first pass: encode-chunk with ${named('pass')} 1 makes them`,
    );
  }
  if (hash !== hashOfText(canonicalJson({ format, plan, index, pictures }))) {
    throw new InputError(`${name} is damaged: make the first pass of its chunk again`);
  }
  return value as ChunkMeasurement;
}

/**
 * The plan of the second pass: the bits of the plan's rate are shared out so that all chunks have one base scale.
 * `measurements` are those of all chunks, in any order; `nameOf` names one in messages. Throws an InputError if one is
 * missing, there twice, damaged or of another plan.
 */
export function budgetChunks(
  plan: ChunkPlan,
  measurements: readonly ChunkMeasurement[],
  nameOf: (position: number) => string = position => `measurement ${position}`,
): ChunkPlan {
  const { input, options, chunks, source } = readPlan(plan);
  if (options.bitrate === undefined) throw new InputError('the plan has no bit rate, so it needs no budgets');
  const named = Array.from(Object(measurements) as typeof measurements, (measurement, position) => {
    const name = nameOf(position);
    return { ...readMeasurement(measurement, name), name };
  });
  const passes = allInOrder(plan, named, 'encode-chunk --pass 1').map(({ pictures }) => pictures);
  const complexities = passes.map(complexitiesByType);
  const { numerator, denominator } = input.frameRate;
  const wantedBits = (options.bitrate * input.frames * denominator) / numerator;
  const shares = sharesOf(complexities, wantedBits);
  const budgeted = chunks.map((chunk, index) => {
    const minBits = (MIN_BIT_RATE * chunk.frames * denominator) / numerator;
    return { ...chunk, budget: { bits: Math.max(minBits, shares[index]!), firstPass: passes[index]! } };
  });
  return makePlan({ input, options, chunks: budgeted, source });
}

/** Bits of each chunk at the base scale at which all together take `wantedBits`; no more than that in all. */
function sharesOf(complexities: readonly ReadonlyMap<PictureType, number>[], wantedBits: number): number[] {
  const all = new Map<PictureType, number>();
  for (const ofChunk of complexities) {
    for (const [type, complexity] of ofChunk) all.set(type, (all.get(type) ?? 0) + complexity);
  }
  const baseScale = baseScaleFor(scale => bitsAtBaseScale(all, scale), wantedBits);
  const bits = complexities.map(ofChunk => bitsAtBaseScale(ofChunk, baseScale));
  const excess = Math.max(1, bits.reduce((sum, ofChunk) => sum + ofChunk, 0) / wantedBits);
  return bits.map(ofChunk => ofChunk / excess);
}

function complexitiesByType(pictures: readonly FirstPassPicture[]): Map<PictureType, number> {
  const sums = new Map<PictureType, number>();
  for (const [type, bits, scale] of pictures) sums.set(type, (sums.get(type) ?? 0) + complexityOf(bits, scale));
  return sums;
}
