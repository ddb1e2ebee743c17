// Keeps the base scale from jumping.
import type { PictureType } from '../../bitstream/picture-type.js';

/**
 * The base scale changes by at most this factor from anchor to anchor, and from an anchor to the B pictures after it.
 * docs/decisions/bit-rate.md has the bound that follows for pictures.
 */
const MAX_STEP: Readonly<Record<PictureType, number>> = { I: 1.35, P: 1.35, B: 1.15 };
/** The first pictures are free: the bits of pictures are only guessed before; not measured. */
const FREE_PICTURES = 4;
/** Up to this base scale, coding is nearly lossless, and the next one may be any coarser scale. */
const FREE_BASE_SCALE = 1;

/** The base scale from picture to picture, in coded order. */
export class BaseScaleSteps {
  /** The base scale of the newest anchor. */
  #last: number | undefined;

  /** The next picture may have any base scale. */
  restart(): void {
    this.#last = undefined;
  }

  /** The allowed base scale of a picture that is nearest to the wanted one. */
  nearest(type: PictureType, codedNumber: number, wanted: number): number {
    const last = this.#last;
    if (last === undefined || codedNumber < FREE_PICTURES) return wanted;
    if (last <= FREE_BASE_SCALE && wanted > last) return wanted;
    const maxStep = MAX_STEP[type];
    return Math.max(last / maxStep, Math.min(last * maxStep, wanted));
  }

  /** Takes note of a picture's base scale: the allowed one, or a coarser one for the decoder's buffer. */
  take(type: PictureType, baseScale: number): void {
    if (type !== 'B' || this.#last === undefined) this.#last = baseScale;
  }
}
