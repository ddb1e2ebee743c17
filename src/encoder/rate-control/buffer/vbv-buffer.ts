// The decoder's input buffer: the video buffering verifier of ISO/IEC 11172-2 Annex C.
import { VBV_DELAY_TICKS_PER_SECOND, VBV_DELAY_VARIABLE } from '../../../bitstream/syntax/picture-header.js';
import type { BufferSettings } from '../rate-settings.js';

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
  #fullnessBits: number;

  constructor(settings: BufferSettings, fullnessBits = settings.startBits) {
    this.settings = settings;
    this.#fullnessBits = fullnessBits;
  }

  /** The buffer as it will be after pictures of so many bits each, and the stuffing that they need. */
  after(pictures: readonly number[]): VbvBuffer {
    const later = new VbvBuffer(this.settings, this.#fullnessBits);
    for (const bits of pictures) later.takeOut(Math.max(bits, later.minPictureBits));
    return later;
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

  /** Takes out a picture of so many bits, stuffing included. */
  takeOut(bits: number): void {
    this.#fullnessBits = refilled(this.#fullnessBits - bits, this.settings);
  }
}

/**
 * vbv_delay of a picture that is taken out when the buffer holds `fullnessBits`, and whose picture header follows
 * `headerBits` of its access unit; ISO/IEC 11172-2 §2.4.3.4. `picturesPerSecond` is the rate at which pictures are
 * taken out.
 */
export function vbvDelayTicks(
  { isConstantRate, fillBits }: BufferSettings,
  fullnessBits: number,
  headerBits: number,
  picturesPerSecond: number,
): number {
  if (!isConstantRate) return VBV_DELAY_VARIABLE;
  const bitsPerTick = (fillBits * picturesPerSecond) / VBV_DELAY_TICKS_PER_SECOND;
  return Math.max(0, Math.round((fullnessBits - headerBits) / bitsPerTick));
}

/** What the bits that are left after a picture become until the next one is taken out. */
export function refilled(bits: number, { isConstantRate, fillBits, sizeBits }: BufferSettings): number {
  return isConstantRate ? bits + fillBits : Math.min(sizeBits, bits + fillBits);
}
