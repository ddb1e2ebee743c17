// A picture's budget: the bits it may take, and the scales of its rows that keep to them.
import type { PictureType } from '../../bitstream/picture-type.js';
import { clampScale } from '../quantizer/picture-scale.js';
import { complexityOf } from './picture-complexity.js';
import type { RowProfile } from './row-profile.js';
import { MAX_DC_MACROBLOCK_BITS } from './sparse-picture.js';

/**
 * How the scale of a row answers to the bits of the rows above: it is multiplied by (expected bits of the picture /
 * target)^exponent, but by no more than maxFactor, and divided by no more. Not measured.
 */
export interface RowCorrection {
  readonly exponent: number;
  readonly maxFactor: number;
}
/** Keeps quality even; later pictures make up for the difference. */
export const LOOSE_CORRECTION: RowCorrection = { exponent: 0.5, maxFactor: 1.15 };
/** For pictures near the end, or near what the buffer allows. */
export const TIGHT_CORRECTION: RowCorrection = { exponent: 2, maxFactor: 1.8 };

/**
 * When macroblocks are coded as sparsely as the syntax allows: never, once the picture comes near its limit, or from
 * its start.
 */
export type SparseCoding = 'never' | 'near-limit' | 'always';

export interface BudgetSettings {
  readonly type: PictureType;
  readonly rows: number;
  /** The picture scale, 1..31; need not be whole. */
  readonly scale: number;
  readonly targetBits: number;
  /** What the picture must not exceed. */
  readonly maxBits: number;
  readonly correction: RowCorrection;
  /** Whether too few pictures follow to make up for what this one takes over its target. */
  readonly isNearEnd: boolean;
  readonly sparseCoding: SparseCoding;
}

/** Part of the limit kept free for bits that the coder does not count, such as headers of slices; not measured. */
const UNCOUNTED_PART = 0.06;
/** Also kept free: the bits of one large macroblock; not measured. */
const ONE_MACROBLOCK_BITS = 2500;
/** Bits of a sparse macroblock: intra without AC, or skipped with its share of a macroblock_escape. */
const SPARSE_MACROBLOCK_BITS: Readonly<Record<PictureType, number>> = { I: MAX_DC_MACROBLOCK_BITS, P: 1, B: 1 };

/**
 * Chooses one whole scale a row, so that their mean is the picture scale and the picture keeps to its target. Whole
 * scales are coarse steps: from 1 to 2 the bits halve. Scales change between rows only, because a change costs 5 bits
 * and a longer macroblock_type.
 */
export class PictureBudget {
  readonly settings: BudgetSettings;
  readonly #profile: RowProfile;
  /** The picture's bits when each row began, and at its end. */
  readonly #bitsAtRow: Float64Array;
  readonly #rowScales: Float64Array;
  /** What rounding has taken from the scales of the rows so far. */
  #roundingError = 0;

  constructor(settings: BudgetSettings, profile: RowProfile) {
    this.settings = settings;
    this.#profile = profile;
    this.#bitsAtRow = new Float64Array(settings.rows + 1);
    this.#rowScales = new Float64Array(settings.rows).fill(settings.scale);
  }

  /** The quantizer_scale of a row; `bits` are those of the rows above. To be called once for each row, in order. */
  rowScale(row: number, bits: number): number {
    const { type, scale, targetBits, correction } = this.settings;
    this.#bitsAtRow[row] = bits;
    const share = this.#profile.shareAbove(type, row);
    const expectedOverTarget = share === undefined || targetBits <= 0 ? 1 : bits / targetBits + 1 - share;
    const { exponent, maxFactor } = correction;
    const factor = Math.max(1 / maxFactor, Math.min(maxFactor, Math.max(expectedOverTarget, 0.01) ** exponent));
    const wanted = clampScale(scale * factor) + this.#roundingError;
    const whole = clampScale(Math.round(wanted));
    this.#roundingError = wanted - whole;
    this.#rowScales[row] = whole;
    return whole;
  }

  /** The mean scale of all rows, each of which has been asked for. */
  get meanRowScale(): number {
    return this.#rowScales.reduce((sum, scale) => sum + scale, 0) / this.#rowScales.length;
  }

  /**
   * Whether the next macroblock must be coded sparsely: `bits` are spent, and `left` macroblocks are left, this one
   * included.
   */
  mustBeSparse(bits: number, left: number): boolean {
    const { type, sparseCoding, maxBits } = this.settings;
    if (sparseCoding !== 'near-limit') return sparseCoding === 'always';
    return bits + left * SPARSE_MACROBLOCK_BITS[type] + ONE_MACROBLOCK_BITS > maxBits * (1 - UNCOUNTED_PART);
  }

  /** The complexity of each row of a picture that took `bits`. */
  rowComplexities(bits: number): Float64Array {
    this.#bitsAtRow[this.settings.rows] = Math.max(bits, this.#bitsAtRow[this.settings.rows - 1]!);
    return this.#rowScales.map((scale, row) => complexityOf(this.#bitsAtRow[row + 1]! - this.#bitsAtRow[row]!, scale));
  }
}
