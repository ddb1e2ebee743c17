// Estimates the bits of a picture at a scale from the errors that its prediction leaves.
import type { PictureType } from '../../../bitstream/picture-type.js';
import { exp2, log2, power } from '../../../portable-math.js';
import { BINS_PER_OCTAVE, ERROR_BINS, MIN_ERROR, type PictureErrors } from '../../lookahead/error-histogram.js';

/**
 * Bits of a macroblock beyond its overhead, whose mean absolute error is e, at the scale s:
 *
 *     octave * log2(1 + (e / (s * threshold)) ^ steepness) / steepness
 *
 *     bits |            /   above the threshold: `octave` bits for each doubling of e, or halving of s
 *          |          /
 *          |_______ -       below: nearly none
 *          +---------+---- log2(e / s)
 *               threshold
 */
interface BitCurve {
  readonly octave: number;
  readonly threshold: number;
  readonly steepness: number;
}

/** What the bits of a picture type follow from. A part of each error is noise, the rest is of the scene. */
interface TypeCurves {
  /**
   * Bits of a macroblock's type, pattern and vectors: where its error is up to MIN_ERROR, and how many more for each
   * octave of error. What stands still is skipped, and vectors of what moves differently are long.
   */
  readonly overhead: { readonly least: number; readonly octave: number };
  readonly scene: BitCurve;
  readonly noise: BitCurve;
}

/** Fitted to 1,650 pictures of eight clips, with noise and without, at ten qualities: docs/decisions/bit-rate.md. */
const CURVES: Readonly<Record<PictureType, TypeCurves>> = {
  I: {
    overhead: { least: 36.2, octave: 0 },
    scene: { octave: 1128, threshold: 15.2, steepness: 1.05 },
    noise: { octave: 1030, threshold: 0.91, steepness: 8.9 },
  },
  P: {
    overhead: { least: 6, octave: 3 },
    scene: { octave: 611, threshold: 1.7, steepness: 2.6 },
    noise: { octave: 1005, threshold: 0.84, steepness: 20 },
  },
  B: {
    overhead: { least: 2, octave: 0.8 },
    scene: { octave: 801, threshold: 1, steepness: 4.3 },
    noise: { octave: 987, threshold: 0.63, steepness: 20 },
  },
};

/**
 * Bits of a macroblock that a fade adds, with the shift of the mean as its error: it is one coefficient of each block.
 * These parts of a macroblock's error, where it is all shift, spread over no others. Both are fitted:
 * docs/decisions/bit-rate.md.
 */
const FADE_CURVE: BitCurve = { octave: 10, threshold: 0.2, steepness: 4 };
const FLAT_PART: Readonly<Record<PictureType, number>> = { I: 0, P: 0.5, B: 0.75 };

/** Headers of a picture, its own and those of a sequence and a group; of a slice. With their alignment, in bits. */
const PICTURE_HEADER_BITS: Readonly<Record<PictureType, number>> = { I: 232, P: 72, B: 72 };
const SLICE_HEADER_BITS = 42;

/** How many octaves finer or coarser a scale may act than it is, at most. */
export const MAX_SHIFT = 4;
/** Finest and coarsest scale of the tables, as octaves: of scales of 0.5 and 63 that are shifted so. */
const OCTAVES_BELOW = 1 + MAX_SHIFT;
const OCTAVES_ABOVE = 6 + MAX_SHIFT;
const FIRST_ENTRY = OCTAVES_ABOVE * BINS_PER_OCTAVE;
const ENTRIES = FIRST_ENTRY + ERROR_BINS + (OCTAVES_BELOW + 1) * BINS_PER_OCTAVE;
/**
 * By curve, bits of a macroblock by the octaves from its scale to its error, in steps of a bin. Made when they are
 * needed: most encodes, and most threads of others, estimate nothing.
 */
const TABLES = new Map<BitCurve, Float64Array>();

/** The mean absolute error in the middle of each bin. */
const BIN_ERRORS = Float64Array.from({ length: ERROR_BINS }, (_, bin) => binError(bin));

/** The mean absolute error of a natural scene's macroblocks where there is no lookahead, by type; not measured. */
const TYPICAL_ERROR: Readonly<Record<PictureType, number>> = { I: 8, P: 4, B: 3 };
/** Bins to each side of it that as many macroblocks have. */
const TYPICAL_SPREAD = 2 * BINS_PER_OCTAVE;

/** How many macroblocks have the error of a bin, how much of it is noise, and how many change by so much in a fade. */
interface OccupiedBin {
  readonly bin: number;
  readonly count: number;
  readonly noisePart: number;
  readonly fading: number;
}

/** An estimate that counts `weight` times. */
export interface WeightedEstimate {
  readonly estimate: BitEstimate;
  readonly weight: number;
}

/**
 * The bits of a picture of a type at any scale, in two parts, or of several pictures of it together. What does not
 * depend on the scale is worked out once: a scale is looked for among dozens.
 */
export class BitEstimate {
  /** Bits of headers and vectors, whatever the scale. */
  readonly overhead: number;
  readonly #sceneTable: Float64Array;
  readonly #noiseTable: Float64Array;
  readonly #fadeTable: Float64Array;
  readonly #bins: readonly OccupiedBin[];

  private constructor(type: PictureType, overhead: number, bins: readonly OccupiedBin[]) {
    const { scene, noise } = CURVES[type];
    this.#sceneTable = tableOf(scene);
    this.#noiseTable = tableOf(noise);
    this.#fadeTable = tableOf(FADE_CURVE);
    this.overhead = overhead;
    this.#bins = bins;
  }

  /** The estimate for a picture by the errors of its prediction. */
  static of(type: PictureType, { counts, noise, shift }: PictureErrors, slices: number): BitEstimate {
    const { least, octave } = CURVES[type].overhead;
    const bins: OccupiedBin[] = [];
    let overhead = PICTURE_HEADER_BITS[type] + slices * SLICE_HEADER_BITS;
    let macroblocks = 0;
    for (let bin = 0; bin < ERROR_BINS; bin++) macroblocks += counts[bin]!;
    // Shared by the two bins between whose middles it lies; a shift far below the first one counts nothing.
    const fadePlace = Math.min(ERROR_BINS - 1, log2(Math.max(0.5, shift / MIN_ERROR)) * BINS_PER_OCTAVE - 0.5);
    for (let bin = 0; bin < ERROR_BINS; bin++) {
      const count = counts[bin]!;
      const fading = macroblocks * Math.max(0, 1 - Math.abs(fadePlace - bin));
      if (count === 0 && fading === 0) continue;
      const error = BIN_ERRORS[bin]!;
      const spread = count * (1 - FLAT_PART[type] * Math.min(1, shift / error) ** 2);
      bins.push({ bin, count: spread, noisePart: Math.min(1, noise / error) ** 2, fading });
      overhead += count * (least + (octave * bin) / BINS_PER_OCTAVE);
    }
    return new BitEstimate(type, overhead, bins);
  }

  /** The sum of estimates, all for this type. */
  static sum(type: PictureType, estimates: readonly WeightedEstimate[]): BitEstimate {
    const counts = new Float64Array(ERROR_BINS);
    const noise = new Float64Array(ERROR_BINS);
    const fades = new Float64Array(ERROR_BINS);
    let overhead = 0;
    for (const { estimate, weight } of estimates) {
      overhead += weight * estimate.overhead;
      for (const { bin, count, noisePart, fading } of estimate.#bins) {
        counts[bin]! += weight * count;
        noise[bin]! += weight * count * noisePart;
        fades[bin]! += weight * fading;
      }
    }
    const bins: OccupiedBin[] = [];
    for (let bin = 0; bin < ERROR_BINS; bin++) {
      const [count, fading] = [counts[bin]!, fades[bin]!];
      if (count > 0 || fading > 0) bins.push({ bin, count, noisePart: count > 0 ? noise[bin]! / count : 0, fading });
    }
    return new BitEstimate(type, overhead, bins);
  }

  /** Bits of the coefficients at a scale of 0.5..63, shifted by up to MAX_SHIFT octaves. */
  coefficientsAt(scale: number): number {
    const position = FIRST_ENTRY - log2(scale) * BINS_PER_OCTAVE;
    const first = Math.floor(position);
    const part = position - first;
    let coefficients = 0;
    for (const { bin, count, noisePart, fading } of this.#bins) {
      const scene = between(this.#sceneTable, first + bin, part);
      const ofNoise = noisePart === 0 ? 0 : between(this.#noiseTable, first + bin, part);
      coefficients += count * (scene + noisePart * (ofNoise - scene));
      if (fading > 0) coefficients += fading * between(this.#fadeTable, first + bin, part);
    }
    return coefficients;
  }
}

/** The bits of an estimate by the scale. */
export function estimatedBits(estimate: BitEstimate): (scale: number) => number {
  const { overhead } = estimate;
  return scale => overhead + estimate.coefficientsAt(scale);
}

function between(table: Float64Array, entry: number, part: number): number {
  const low = table[entry]!;
  return low + part * (table[entry + 1]! - low);
}

/** The mean absolute error in the middle of a bin; of entries of the tables, as a multiple of the scale. */
function binError(bin: number): number {
  return MIN_ERROR * exp2((bin + 0.5) / BINS_PER_OCTAVE);
}

/** The histogram of a typical picture of so many macroblocks. */
export function typicalErrors(type: PictureType, macroblocks: number): PictureErrors {
  const middle = Math.floor(log2(TYPICAL_ERROR[type] / MIN_ERROR) * BINS_PER_OCTAVE);
  const count = macroblocks / (2 * TYPICAL_SPREAD + 1);
  const isNear = (bin: number) => Math.abs(bin - middle) <= TYPICAL_SPREAD;
  return {
    counts: Float64Array.from({ length: ERROR_BINS }, (_, bin) => (isNear(bin) ? count : 0)),
    noise: 0,
    shift: 0,
  };
}

function tableOf(curve: BitCurve): Float64Array {
  const table = TABLES.get(curve) ?? curveTable(curve);
  TABLES.set(curve, table);
  return table;
}

function curveTable({ octave, threshold, steepness }: BitCurve): Float64Array {
  // From entry to entry the error grows by the same factor, and so does its power.
  const factor = exp2(steepness / BINS_PER_OCTAVE);
  const table = new Float64Array(ENTRIES);
  let errorPower = power(binError(-FIRST_ENTRY) / threshold, steepness);
  for (let entry = 0; entry < ENTRIES; entry++, errorPower *= factor) {
    table[entry] = (octave / steepness) * log2(1 + errorPower);
  }
  return table;
}
