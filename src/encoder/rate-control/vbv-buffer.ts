import { VBV_DELAY_VARIABLE } from '../../bitstream/syntax/picture-header.js';
import type { BufferSettings } from './rate-settings.js';

const TICKS_PER_SECOND = 90_000;

/**
 * The video buffering verifier of ISO/IEC 11172-2 Annex C: a picture is taken out all at once, at its time, with the headers
 * before it and the stuffing after it; bits come in meanwhile.
 *
 *     size  |- - - - - - - - - - - - - - - -   constant rate: stuffing keeps it below;
 *           |    /|      /|      /|            variable rate: nothing comes in while it is full
 *           |   / |  /| / |     / |  /
 *           |  /  | / |/  |    /  | /
 *     0     | /   |/      |   /   |/
 */
export class VbvBuffer {
  readonly #settings: BufferSettings;
  readonly #bitsPerTick: number;
  #bits: number;

  /** `picturesPerSecond` is the rate at which pictures are taken out. */
  constructor(settings: BufferSettings, picturesPerSecond: number) {
    this.#settings = settings;
    this.#bitsPerTick = (settings.fillBits * picturesPerSecond) / TICKS_PER_SECOND;
    this.#bits = settings.startBits;
  }

  /** Bits in it just before the next picture is taken out: no more may be coded. */
  get bits(): number {
    return this.#bits;
  }

  /** What the next picture needs at least for the buffer not to overflow after it; 0 where none overflows. */
  get leastPictureBits(): number {
    const { isConstantRate, fillBits, sizeBits } = this.#settings;
    return isConstantRate ? Math.max(0, this.#bits + fillBits - sizeBits) : 0;
  }

  /** Bits in it before the picture after the next, where the next one takes `bits`. */
  after(bits: number): number {
    return refilled(this.#bits - bits, this.#settings);
  }

  /** vbv_delay of the next picture, `headerBits` of whose access unit precede its picture header; ISO/IEC 11172-2 §2.4.3.4. */
  delayTicks(headerBits: number): number {
    if (!this.#settings.isConstantRate) return VBV_DELAY_VARIABLE;
    return Math.max(0, Math.round((this.#bits - headerBits) / this.#bitsPerTick));
  }

  /** Takes out a picture of `bits`, stuffing included. */
  take(bits: number): void {
    this.#bits = this.after(bits);
  }
}

/** What `bits` become until the next picture is due. */
export function refilled(bits: number, { isConstantRate, fillBits, sizeBits }: BufferSettings): number {
  return isConstantRate ? bits + fillBits : Math.min(sizeBits, bits + fillBits);
}
