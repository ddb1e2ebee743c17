// The pictures between their budget and what the rate controller learns of them.
import type { UpcomingPicture } from './forecast/bit-model.js';
import type { BudgetSettings, CodedRows } from './picture-budget.js';

<<<<<<< HEAD
/**
 * The budget of a picture follows from those that are coded at least so many places before it; the ones between, which
 * may be under way in other threads, are taken to keep to their targets. In two passes the delay is greater, since the
 * stream of the first is dropped and the second knows what to expect.
 */
const FEEDBACK_DELAY = 24;
const FEEDBACK_DELAY_OF_TWO_PASSES = 32;
/**
 * With a decoder's buffer, which has to hold all that the pictures under way may take: an anchor and the B pictures
 * before it. docs/decisions/threads-at-a-bit-rate.md has what it costs.
 */
const BUFFERED_FEEDBACK_DELAY = 3;
/**
 * In one pass, the delay is at most this part of the number of pictures before, or so great that `MIN_COUNTED` of them
 * are counted: at first little is known. With a part of 0.25 alone, rates of 60 pictures were up to 5.6 % off. In two
 * passes it is as great as there are pictures before: that changes the errors of 30 rates by 0.02 % in the mean.
 */
const DELAY_PART = 0.1;
const MIN_COUNTED = 24;
/**
 * It is also at most this part of the number of those left, which make up for what is found late, or this part of all:
 * what so few miss together changes the rate of the stream by less. A first pass need not keep to its rate to the end.
 */
const DELAY_PART_OF_LEFT = 0.25;
const DELAY_PART_OF_ALL = 0.01;

/** What the delay depends on. */
export interface FeedbackKind {
  /** Which of two passes this is; 0 where there is one. */
  readonly pass: 0 | 1 | 2;
  readonly hasBuffer: boolean;
}

/** The delay in the middle of a long encode, in pictures. */
export function fullFeedbackDelay({ pass, hasBuffer }: FeedbackKind): number {
  if (hasBuffer) return BUFFERED_FEEDBACK_DELAY;
  return pass === 0 ? FEEDBACK_DELAY : FEEDBACK_DELAY_OF_TWO_PASSES;
}

/** The delay for a picture after `before` others with `left` to come, in pictures. */
export function feedbackDelay(before: number, left: number, kind: FeedbackKind): number {
  const known = kind.pass === 0 ? Math.max(DELAY_PART * before, before - MIN_COUNTED) : before;
  const most = Math.floor(Math.min(fullFeedbackDelay(kind), known));
  if (kind.pass === 1) return most;
  return Math.floor(Math.min(most, Math.max(DELAY_PART_OF_LEFT * left, DELAY_PART_OF_ALL * (before + left))));
}

=======
>>>>>>> fix-enc
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
