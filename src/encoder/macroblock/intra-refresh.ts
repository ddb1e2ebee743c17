// Makes a macroblock intra before the drift between two legal inverse DCTs adds up.

/** How many times in a row a macroblock may be predicted: one of 132 codings must be intra; ISO/IEC 11172-2 §2.4.1. */
const MAX_PREDICTED = 131;
/** From this many predictions on, a macroblock is refreshed when its turn comes, so that few are due in one picture. */
const EARLIEST_REFRESH = 100;
/** A macroblock has its turn in one of so many pictures: from 100 predictions on, all have had it after 131. */
const TURN_PICTURES = 31;
/** Steps between the turns of neighbours: the macroblocks that are refreshed in one picture lie apart. */
const TURN_STEP = 13;

/**
 * Counts how many times each macroblock has been predicted since it was intra. Each anchor has its counts beside it,
 * so that a picture depends on its past anchor alone.
 */
export class IntraRefresh {
  /** Whether any macroblock may be due. */
  readonly isNeeded: boolean;
  /** The counts of the past anchor, and those of the picture that is being coded. */
  readonly #before: Uint8Array;
  readonly #now: Uint8Array;

  /** `gop` is the number of pictures from one I picture to the next; counts have an entry a macroblock. */
  constructor(gop: number, before: Uint8Array, now: Uint8Array) {
    this.isNeeded = gop > MAX_PREDICTED + 1;
    this.#before = before;
    this.#now = now;
  }

  /** Whether macroblock `address` has to be intra in the P picture of this temporal_reference. */
  isDue(address: number, temporalReference: number): boolean {
    if (!this.isNeeded) return false;
    const predictions = this.#before[address]!;
    if (predictions >= MAX_PREDICTED) return true;
    return predictions >= EARLIEST_REFRESH && this.#isTurnOf(address, temporalReference);
  }

  /** Counts how macroblock `address` was coded. */
  count(address: number, isIntra: boolean): void {
    this.#now[address] = isIntra ? 0 : this.#before[address]! + 1;
  }

  #isTurnOf(address: number, temporalReference: number): boolean {
    return (address * TURN_STEP + temporalReference) % TURN_PICTURES === 0;
  }
}
