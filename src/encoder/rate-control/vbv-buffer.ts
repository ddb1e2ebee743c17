// The decoder's input buffer: the video buffering verifier of ISO/IEC 11172-2 Annex C.
import { VBV_DELAY_TICKS_PER_SECOND, VBV_DELAY_VARIABLE } from '../../bitstream/syntax/picture-header.js';
import type { BufferSettings } from './rate-settings.js';

/**
 * How full the buffer is when each picture is taken out. A picture is taken out all at once, together with the headers
 * before it and the stuffing after it; bits come in all the time.
 *
 *     size  |- - - - - - - - - - - - - - - -   constant rate: stuffing keeps it below;
 *           |    /|      /|      /|            variable rate: nothing comes in while it is full
 *           |   / |  /| / |     / |  /
 *           |  /  | / |/  |    /  | /
 *     0     | /   |/      |   /   |/
 */
export class VbvBuffer {
  readonly settings: BufferSettings;
  readonly #bitsPerTick: number;
  #fullnessBits: number;

  /** `picturesPerSecond` is the rate at which pictures are taken out. */
  constructor(settings: BufferSettings, picturesPerSecond: number) {
    this.settings = settings;
    this.#bitsPerTick = (settings.fillBits * picturesPerSecond) / VBV_DELAY_TICKS_PER_SECOND;
    this.#fullnessBits = settings.startBits;
  }

  /** The bits in the buffer just before the next picture is taken out, which must not have more. */
  get fullnessBits(): number {
    return this.#fullnessBits;
  }

  /** The bits that the next picture must have at least, so that the buffer does not overflow after it. */
  get minPictureBits(): number {
    const { isConstantRate, fillBits, sizeBits } = this.settings;
    return isConstantRate ? Math.max(0, this.#fullnessBits + fillBits - sizeBits) : 0;
  }

  /**
   * vbv_delay of the next picture, whose picture header follows `headerBits` of its access unit; ISO/IEC 11172-2
   * §2.4.3.4.
   */
  delayTicks(headerBits: number): number {
    if (!this.settings.isConstantRate) return VBV_DELAY_VARIABLE;
    return Math.max(0, Math.round((this.#fullnessBits - headerBits) / this.#bitsPerTick));
  }

  /** Takes out a picture of so many bits, stuffing included. */
  takeOut(bits: number): void {
    this.#fullnessBits = refilled(this.#fullnessBits - bits, this.settings);
  }
}

/** What the bits that are left after a picture become until the next one is taken out. */
export function refilled(bits: number, { isConstantRate, fillBits, sizeBits }: BufferSettings): number {
  return isConstantRate ? bits + fillBits : Math.min(sizeBits, bits + fillBits);
}
