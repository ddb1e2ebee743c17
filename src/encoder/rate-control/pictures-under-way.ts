// The pictures between their budget and what the rate controller learns of them.
import type { UpcomingPicture } from './forecast/bit-model.js';
import type { BudgetSettings, CodedRows } from './picture-budget.js';

/** What an accepted picture took. */
export interface PictureResult {
  readonly bits: number;
  /** Its picture scale. */
  readonly scale: number;
  readonly rows: CodedRows;
  /** Whether no picture follows. */
  readonly isLast: boolean;
  /** The budget that it was accepted with. */
  readonly budget: BudgetSettings;
  /** Bytes of stuffing after it; undefined as long as a picture before it is not accepted. */
  stuffingBytes?: number;
}

/** A picture that has begun. */
interface BegunPicture {
  /** Its first budget. */
  readonly budget: BudgetSettings;
  readonly picture: UpcomingPicture;
  /** The expectation when it began; `expectedBits` divides by it. */
  readonly expectation: number;
  /** What came out, once it is accepted. */
  result?: PictureResult;
}

/**
 * Pictures in coded order. They may be accepted in any order; they are counted one after the other, when the controller
 * says so, and not before: so what it knows does not depend on how many are under way at a time.
 */
export class PicturesUnderWay {
  readonly #begun: BegunPicture[] = [];
  /** Pictures that are counted. */
  #counted = 0;

  /** Coded number of the first picture that is not counted. */
  get counted(): number {
    return this.#counted;
  }

  /** Coded number of the picture that begins next. */
  get next(): number {
    return this.#counted + this.#begun.length;
  }

  /** How many pictures have been accepted, up to the first that has not. */
  get accepted(): number {
    const open = this.#begun.findIndex(({ result }) => !result);
    return open < 0 ? this.next : this.#counted + open;
  }

  /** Whether an anchor is under way. */
  get hasAnchor(): boolean {
    return this.#begun.some(({ budget }) => budget.type !== 'B');
  }

  /** The next picture begins. `expectation` is that of now; `expectedBits` divides by it. */
  begin(picture: UpcomingPicture, budget: BudgetSettings, expectation: number): void {
    this.#begun.push({ budget, picture, expectation });
  }

  /** A picture is accepted: this came out. */
  accept(codedNumber: number, result: PictureResult): void {
    this.#begun[codedNumber - this.#counted]!.result = result;
  }

  /** The first budgets of the pictures under way, the oldest first. */
  get budgets(): readonly BudgetSettings[] {
    return this.#begun.map(({ budget }) => budget);
  }

  /** What an accepted picture took that is not counted; undefined for others. */
  result(codedNumber: number): PictureResult | undefined {
    return this.#begun[codedNumber - this.#counted]?.result;
  }

  /** Takes the first picture out, which must be accepted, to be counted. */
  count(): { readonly picture: UpcomingPicture; readonly result: PictureResult } {
    this.#counted++;
    const { picture, result } = this.#begun.shift()!;
    return { picture, result: result! };
  }

  /**
   * Bits that each of the first `pictures` under way is expected to take: its target, as much greater as `expectation`
   * of it has become since it began.
   */
  expectedBits(pictures: number, expectation: (picture: UpcomingPicture, budget: BudgetSettings) => number): number[] {
    return this.#begun
      .slice(0, pictures)
      .map(({ picture, budget, expectation: then }) => (budget.targetBits * expectation(picture, budget)) / then);
  }
}
