// Estimates the bits of a picture at a scale from the errors that its prediction leaves.
import type { PictureType } from '../../bitstream/picture-type.js';
import { BINS_PER_OCTAVE, ERROR_BINS, LEAST_ERROR, type PictureErrors } from '../lookahead/error-histogram.js';

/**
 * Bits of a macroblock whose mean absolute error is e, at the scale s:
 *
 *     overhead + octave * log2(1 + (e / (s * threshold)) ^ steepness) / steepness
 *
 *     bits |            /   above the threshold: `octave` bits for each doubling of e, or halving of s
 *          |          /
 *          |_______ -       below: headers and vectors
 *          +---------+---- log2(e / s)
 *               threshold
 */
interface BitCurve {
  readonly overhead: number;
  readonly octave: number;
  readonly threshold: number;
  readonly steepness: number;
}

/** Fitted to the pictures of eight clips, with noise and without, at ten qualities: docs/decisions/bit-rate.md. */
const CURVES: Readonly<Record<PictureType, BitCurve>> = {
  I: { overhead: 39, octave: 687, threshold: 2.56, steepness: 1.78 },
  P: { overhead: 9.6, octave: 739, threshold: 1.17, steepness: 4.73 },
  B: { overhead: 3, octave: 781, threshold: 0.8, steepness: 7 },
};

/** Finest and coarsest scale of the tables, as octaves. */
const OCTAVES_BELOW = 1;
const OCTAVES_ABOVE = 6;
const FIRST_ENTRY = OCTAVES_ABOVE * BINS_PER_OCTAVE;
const ENTRIES = FIRST_ENTRY + ERROR_BINS + (OCTAVES_BELOW + 1) * BINS_PER_OCTAVE;
/** Bits of a macroblock by the octaves from its scale to its error, in steps of a bin. */
const TABLES: Readonly<Record<PictureType, Float64Array>> = {
  I: curveTable(CURVES.I),
  P: curveTable(CURVES.P),
  B: curveTable(CURVES.B),
};

/** The mean absolute error of a natural scene's macroblocks where there is no lookahead, by type; not measured. */
const TYPICAL_ERROR: Readonly<Record<PictureType, number>> = { I: 8, P: 4, B: 3 };
/** Bins to each side of it that as many macroblocks have. */
const TYPICAL_SPREAD = 2 * BINS_PER_OCTAVE;

/** The bits of a picture of a type at a scale of 0.5..63. */
export function estimatedBits(type: PictureType, { counts }: PictureErrors, scale: number): number {
  const table = TABLES[type];
  const position = FIRST_ENTRY - Math.log2(scale) * BINS_PER_OCTAVE;
  const first = Math.floor(position);
  const part = position - first;
  let bits = 0;
  for (let bin = 0; bin < ERROR_BINS; bin++) {
    const count = counts[bin]!;
    if (count === 0) continue;
    const low = table[first + bin]!;
    bits += count * (low + part * (table[first + bin + 1]! - low));
  }
  return bits;
}

/** The histogram of a typical picture of so many macroblocks. */
export function typicalErrors(type: PictureType, macroblocks: number): PictureErrors {
  const middle = Math.floor(Math.log2(TYPICAL_ERROR[type] / LEAST_ERROR) * BINS_PER_OCTAVE);
  const count = macroblocks / (2 * TYPICAL_SPREAD + 1);
  const isNear = (bin: number) => Math.abs(bin - middle) <= TYPICAL_SPREAD;
  return { counts: Float64Array.from({ length: ERROR_BINS }, (_, bin) => (isNear(bin) ? count : 0)), noise: 0 };
}

function curveTable({ overhead, octave, threshold, steepness }: BitCurve): Float64Array {
  return Float64Array.from({ length: ENTRIES }, (_, entry) => {
    const errorPerScale = LEAST_ERROR * 2 ** ((entry - FIRST_ENTRY + 0.5) / BINS_PER_OCTAVE);
    return overhead + (octave / steepness) * Math.log2(1 + (errorPerScale / threshold) ** steepness);
  });
}
