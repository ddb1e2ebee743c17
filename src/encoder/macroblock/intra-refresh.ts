/** A macroblock may be predicted at most this many times before it must be intra: 132 codings, one of them intra; §2.4.1. */
const MAX_PREDICTED = 131;
/** Refreshing starts this early, spread over pictures, so that not all macroblocks of a long group become intra at once. */
const EARLIEST_REFRESH = 100;
const SPREAD = 31;

/** Counts how often each macroblock has been predicted since it was intra; bounds the drift between two legal IDCTs. */
export class IntraRefresh {
  readonly #age: Uint8Array;
  /** The ages before the picture that is being coded. */
  readonly #before: Uint8Array;
  readonly #isNeeded: boolean;

  /** `gop` is the number of pictures from one I picture to the next. */
  constructor(macroblocks: number, gop: number) {
    this.#age = new Uint8Array(macroblocks);
    this.#before = new Uint8Array(macroblocks);
    this.#isNeeded = gop > MAX_PREDICTED + 1;
  }

  /** Whether macroblock `address` has to be intra in P picture number `temporalReference` of its group. */
  isDue(address: number, temporalReference: number): boolean {
    if (!this.#isNeeded) return false;
    const age = this.#age[address]!;
    if (age >= MAX_PREDICTED) return true;
    return age >= EARLIEST_REFRESH && this.#isTurnOf(address, temporalReference);
  }

  /** Takes note of how macroblock `address` was coded. */
  note(address: number, intra: boolean): void {
    this.#age[address] = intra ? 0 : this.#age[address]! + 1;
  }

  /** A picture begins. */
  beginPicture(): void {
    this.#before.set(this.#age);
  }

  /** Forgets what was noted since. */
  discardPicture(): void {
    this.#age.set(this.#before);
  }

  #isTurnOf(address: number, temporalReference: number): boolean {
    return (address * 13 + temporalReference) % SPREAD === 0;
  }
}
