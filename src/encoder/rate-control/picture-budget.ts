import type { PictureType } from '../../bitstream/picture-type.js';
import { complexityOf } from './picture-complexity.js';
import type { RowProfile } from './row-profile.js';

/** How closely a picture keeps to its target: the response to a deviation, and how far the scale may go to either side. */
export interface BudgetGrip {
  readonly exponent: number;
  readonly furthest: number;
}
/** Quality stays even; the deviation is made up for by later pictures. */
export const LOOSE_GRIP: BudgetGrip = { exponent: 0.5, furthest: 1.15 };
/** There are no later pictures, or the buffer is near. */
export const TIGHT_GRIP: BudgetGrip = { exponent: 2, furthest: 1.8 };

/** When macroblocks are coded as sparsely as they can be: never, once the limit is near, or from the start. */
export type Saving = 'never' | 'near-limit' | 'always';

/** What a picture may cost. */
export interface BudgetSettings {
  readonly type: PictureType;
  readonly rows: number;
  /** The mean quantizer_scale aimed at, 1..31; need not be whole. */
  readonly scale: number;
  readonly targetBits: number;
  /** What it must not exceed. */
  readonly limitBits: number;
  readonly grip: BudgetGrip;
  /** Whether no later pictures can make up for what it takes over its target. */
  readonly isLast: boolean;
  readonly saving: Saving;
}

/** Kept free below the limit for what the coder's count leaves out, as a part of the limit, and for one more macroblock. */
const UNCOUNTED_PART = 0.06;
const ONE_MACROBLOCK_BITS = 2500;
/** A sparse macroblock: six DC differentials where it is intra, its share of an escape code where it is skipped. */
const SPARSE_BITS: Readonly<Record<PictureType, number>> = { I: 96, P: 1, B: 1 };

/**
 * Spreads a picture's bits over its macroblock rows. quantizer_scale is whole, and from 1 to 2 the bits halve: a scale in between is
 * met in the mean of the rows, and rows answer to what those above have cost. One scale a row: a change costs 5 bits and a
 * longer macroblock_type.
 */
export class PictureBudget {
  readonly settings: BudgetSettings;
  readonly #profile: RowProfile;
  /** Bits spent when each row began. */
  readonly #bitsAtRow: Float64Array;
  readonly #rowScales: Float64Array;
  /** What the rows so far have missed of the scales wanted. */
  #carry = 0;

  constructor(settings: BudgetSettings, profile: RowProfile) {
    this.settings = settings;
    this.#profile = profile;
    this.#bitsAtRow = new Float64Array(settings.rows + 1);
    this.#rowScales = new Float64Array(settings.rows).fill(settings.scale);
  }

  /** quantizer_scale of a row, `bits` having been spent on those above; rows are asked for in order, each once. */
  rowScale(row: number, bits: number): number {
    const { type, scale, targetBits, grip } = this.settings;
    this.#bitsAtRow[row] = bits;
    const share = this.#profile.shareBefore(type, row);
    const expected = share === undefined || targetBits <= 0 ? 1 : bits / targetBits + 1 - share;
    const correction = Math.max(1 / grip.furthest, Math.min(grip.furthest, Math.max(expected, 0.01) ** grip.exponent));
    const wanted = Math.max(1, Math.min(31, scale * correction)) + this.#carry;
    const whole = Math.max(1, Math.min(31, Math.round(wanted)));
    this.#carry = wanted - whole;
    this.#rowScales[row] = whole;
    return whole;
  }

  /** The mean of the rows' scales, once all are asked for. */
  get meanRowScale(): number {
    return this.#rowScales.reduce((sum, scale) => sum + scale, 0) / this.#rowScales.length;
  }

  /** Whether the next macroblock has to be coded as sparsely as it can be, `left` macroblocks being left with it. */
  mustSave(bits: number, left: number): boolean {
    const { type, saving, limitBits } = this.settings;
    if (saving !== 'near-limit') return saving === 'always';
    return bits + left * SPARSE_BITS[type] + ONE_MACROBLOCK_BITS > limitBits * (1 - UNCOUNTED_PART);
  }

  /** What each row would have cost, had all had the same scale; `bits` in all. */
  evenRowBits(bits: number): Float64Array {
    this.#bitsAtRow[this.settings.rows] = Math.max(bits, this.#bitsAtRow[this.settings.rows - 1]!);
    return this.#rowScales.map((scale, row) => complexityOf(this.#bitsAtRow[row + 1]! - this.#bitsAtRow[row]!, scale));
  }
}
