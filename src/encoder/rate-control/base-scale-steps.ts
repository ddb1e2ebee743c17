// Keeps the base scale from jumping.
import type { PictureType } from '../../bitstream/picture-type.js';
import type { RateSettings } from './rate-settings.js';

/**
 * The base scale changes by at most this factor from anchor to anchor, and from an anchor to the B pictures after it:
 * where it has to be found, and where a first pass at about the same rate has found it. docs/decisions/bit-rate.md has
 * the bound that follows.
 */
const MAX_STEPS: Readonly<Record<'unknown' | 'known', Readonly<Record<PictureType, number>>>> = {
  unknown: { I: 1.35, P: 1.35, B: 1.15 },
  known: { I: 1.15, P: 1.15, B: 1.08 },
};
/** A first pass is about at the rate of the second if it misses it by less than this part; not measured. */
const MAX_FIRST_PASS_DEVIATION = 0.1;
/** The first pictures are free: the bits of pictures are only guessed before; not measured. */
const FREE_PICTURES = 4;
/** Up to this base scale, coding is nearly lossless, and the next one may be any coarser scale. */
const FREE_BASE_SCALE = 1;

/** The base scale from picture to picture, in coded order. */
export class BaseScaleSteps {
  readonly #maxSteps: Readonly<Record<PictureType, number>>;
  /** That of the newest anchor. */
  #last: number | undefined;

  constructor({ firstPass, pictureBits }: Pick<RateSettings, 'firstPass' | 'pictureBits'>) {
    const bits = firstPass?.reduce((sum, picture) => sum + picture.bits, 0) ?? 0;
    const deviation = bits / ((firstPass?.length ?? 0) * pictureBits) - 1;
    this.#maxSteps = MAX_STEPS[Math.abs(deviation) < MAX_FIRST_PASS_DEVIATION ? 'known' : 'unknown'];
  }

  /** The next picture's may be any. */
  restart(): void {
    this.#last = undefined;
  }

  /** What is allowed of a base scale that is wanted of a picture. */
  nearest(type: PictureType, codedNumber: number, wanted: number): number {
    const last = this.#last;
    if (last === undefined || codedNumber < FREE_PICTURES) return wanted;
    if (last <= FREE_BASE_SCALE && wanted > last) return wanted;
    const maxStep = this.#maxSteps[type];
    return Math.max(last / maxStep, Math.min(last * maxStep, wanted));
  }

  /** Takes note of what a picture got: that, or a coarser one for the decoder's buffer. */
  take(type: PictureType, baseScale: number): void {
    if (type !== 'B' || this.#last === undefined) this.#last = baseScale;
  }
}
