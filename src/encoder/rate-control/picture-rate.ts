// The contract of rate control: what the coding loop asks of whatever gives pictures their bits.
import type { ConstantMode } from '../settings/rate-mode.js';
import type { Delivery } from './buffer/deliveries.js';
import type { UpcomingPictures } from './forecast/bit-model.js';
import type { BudgetSettings } from './picture-budget.js';
import type { PictureResult } from './pictures-under-way.js';

/** A picture that has been coded with a budget. */
export interface CodingAttempt {
  readonly budget: BudgetSettings;
  readonly bits: number;
  /** Its picture scale. */
  readonly scale: number;
  /** How often it had been coded before. */
  readonly attempts: number;
}

/**
 * To be called for each picture in coded order: `begin`, when `neededPictures` are accepted. Then `retry` until it
 * returns undefined, then `accept`; these may come in another order where pictures are coded side by side. Last
 * `deliver`, in coded order.
 */
export interface PictureRate {
  /** How many pictures must follow the next one, or the end, before it begins. */
  readonly window: number;
  /** How many pictures have been accepted, up to the first that has not. */
  readonly acceptedPictures: number;
  /** How many pictures must be accepted before the next one begins. */
  neededPictures(upcoming: UpcomingPictures): number;
  /**
   * The budget of the next picture, the first of `upcoming`. `neededPictures` must be accepted. The budget does not
   * depend on which others are accepted, too.
   */
  begin(upcoming: UpcomingPictures): BudgetSettings;
  /**
   * Another budget to code a picture with again, or undefined to accept it. `upcoming` as when it began. Throws
   * InputError if even the sparsest picture does not fit into the buffer.
   */
  retry(attempt: CodingAttempt, upcoming: UpcomingPictures): BudgetSettings | undefined;
  /** Takes note of what picture `codedNumber` took with its last budget. */
  accept(codedNumber: number, result: PictureResult): void;
  /** A picture that repeats the one before has taken so many bits: it is coded without a budget. */
  acceptRepetition?(bits: number): void;
  /**
   * What the buffer, if there is one, demands of picture `codedNumber`, which is accepted, as are those before it. Its
   * picture header follows `headerBits` of its access unit.
   */
  deliver(codedNumber: number, headerBits: number): Delivery | undefined;
}

/** Whether pictures have constant scales or a constant quality, and so no rate control. */
export function isConstant(rate: PictureRate | ConstantMode): rate is ConstantMode {
  return 'kind' in rate;
}
