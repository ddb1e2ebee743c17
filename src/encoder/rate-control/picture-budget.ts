// A picture's budget: the bits it may take, and the scales of its rows that keep to them.
import type { PictureType } from '../../bitstream/picture-type.js';
import { power } from '../../portable-math.js';
import { clampScale } from '../quantizer/picture-scale.js';
import { MAX_DC_MACROBLOCK_BITS } from './buffer/sparse-picture.js';
import { complexityOf } from './forecast/picture-complexity.js';

/**
 * How the scale of a row answers to the bits of the rows above: it is multiplied by (expected bits of the picture /
 * target)^exponent, but by no more than maxFactor, and divided by no more than maxDivisor, which is maxFactor where it
 * is left out. Not measured.
 */
export interface RowCorrection {
  readonly exponent: number;
  readonly maxFactor: number;
  readonly maxDivisor?: number;
}
/** Keeps quality even; later pictures make up for the difference. */
export const LOOSE_CORRECTION: RowCorrection = { exponent: 0.5, maxFactor: 1.1 };
/** For pictures near what the buffer allows. */
export const TIGHT_CORRECTION: RowCorrection = { exponent: 2, maxFactor: 1.8 };

/**
 * When macroblocks are coded as sparsely as the syntax allows: never, once the picture comes near its limit, or from
 * its start.
 */
export type SparseCoding = 'never' | 'near-limit' | 'always';

/** The budget of a picture; plain data, which can be sent to a thread. */
export interface BudgetSettings {
  readonly type: PictureType;
  readonly rows: number;
  /** The picture scale, 1..31; need not be whole. */
  readonly scale: number;
  readonly targetBits: number;
  /** What the picture must not exceed. */
  readonly maxBits: number;
  readonly correction: RowCorrection;
  /**
   * By how much its bits may differ from the target before it is coded again: infinite but for the last pictures, after
   * which too few follow to make up for a difference.
   */
  readonly toleranceBits: number;
  /** What the others cannot make up for, even at the coarsest scale; infinite where the picture may not be repeated. */
  readonly payableBits: number;
  /** The scale of the first attempt. */
  readonly plannedScale: number;
  /** What the attempt before took, of one of the last pictures. */
  readonly before?: { readonly bits: number; readonly scale: number };
  readonly sparseCoding: SparseCoding;
  /** Whether the picture may be coded again with another budget. If not, others may be predicted from it row by row. */
  readonly mayBeRepeated: boolean;
  /** Whether no other picture may begin before this one is accepted: it may change what the controller knows. */
  readonly isAwaited: boolean;
  /**
   * The picture scale of the newest anchor before, as coded or, while that is not known, as planned. For the first
   * picture, its own.
   */
  readonly anchorScale: number;
  /** For each row, the share of the picture's complexity that is expected above it; undefined: not known. */
  readonly sharesAbove: Float64Array | undefined;
}

/** What the rows of a coded picture took. */
export interface CodedRows {
  /** The picture's bits when each row began. */
  readonly bits: Float64Array;
  readonly scales: Float64Array;
}

/** The picture scale that the rows had in the mean. */
export function meanRowScale({ scales }: CodedRows): number {
  return scales.reduce((sum, scale) => sum + scale, 0) / scales.length;
}

/** The complexity of each row of a picture that took `pictureBits`. */
export function rowComplexities({ bits, scales }: CodedRows, pictureBits: number): Float64Array {
  const last = scales.length - 1;
  const end = Math.max(pictureBits, bits[last]!);
  return scales.map((scale, row) => complexityOf((row < last ? bits[row + 1]! : end) - bits[row]!, scale));
}

/** Part of the limit kept free for bits that the coder does not count, such as headers of slices; not measured. */
const UNCOUNTED_PART = 0.06;
/** Also kept free: the bits of one large macroblock; not measured. */
const ONE_MACROBLOCK_BITS = 2500;
/** Bits of a sparse macroblock: intra without AC, or skipped with its share of a macroblock_escape. */
const SPARSE_MACROBLOCK_BITS: Readonly<Record<PictureType, number>> = { I: MAX_DC_MACROBLOCK_BITS, P: 1, B: 1 };

/** When the macroblocks of a picture are coded sparsely. */
export interface SparseLimit {
  readonly coding: SparseCoding;
  readonly macroblockBits: number;
  /** Near the limit: what the bits spent and those of the macroblocks left, this one included, must not exceed. */
  readonly maxBits: number;
}

/** When the macroblocks of a picture with this budget are coded sparsely. */
export function sparseLimit({ type, sparseCoding, maxBits }: BudgetSettings): SparseLimit {
  return {
    coding: sparseCoding,
    macroblockBits: SPARSE_MACROBLOCK_BITS[type],
    maxBits: maxBits * (1 - UNCOUNTED_PART) - ONE_MACROBLOCK_BITS,
  };
}

/** Chooses the scales of the rows so that the picture keeps to its target. */
export class PictureBudget {
  readonly settings: BudgetSettings;
  /** The rows so far. */
  readonly rows: CodedRows;

  constructor(settings: BudgetSettings) {
    this.settings = settings;
    this.rows = { bits: new Float64Array(settings.rows), scales: new Float64Array(settings.rows) };
  }

  /**
   * The scale of a row, 1..31, which need not be whole; `bits` are those of the rows above. To be called once for
   * each row, in order.
   */
  rowScale(row: number, bits: number): number {
    const { sharesAbove, scale, targetBits, correction } = this.settings;
    this.rows.bits[row] = bits;
    const share = sharesAbove?.[row];
    const expectedOverTarget = share === undefined || targetBits <= 0 ? 1 : bits / targetBits + 1 - share;
    const { exponent, maxFactor, maxDivisor = maxFactor } = correction;
    const factor = Math.max(1 / maxDivisor, Math.min(maxFactor, power(Math.max(expectedOverTarget, 0.01), exponent)));
    const rowScale = clampScale(scale * factor);
    this.rows.scales[row] = rowScale;
    return rowScale;
  }
}
