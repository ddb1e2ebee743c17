// The warning of a bit rate that a stream does not keep.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { BitModel, UpcomingPicture } from './forecast/bit-model.js';
import type { RateSettings } from './rate-settings.js';

/** A rate that is missed by less is kept: in one pass, and in two. */
const TOLERANCE = { one: 0.03, two: 0.01 };
/** Pictures up to this mean scale are taken to be at the finest one ... */
const FINEST_SCALE = 1.1;
/** ... and from this one on at the coarsest. What those of finer scales would take there is only estimated. */
const COARSEST_SCALE = 29;

/** Compares the bits of an encode with its rate. */
export class RateWarning {
  readonly #model: BitModel;
  #pictures = 0;
  /** What the pictures would take, about, at the coarsest scale. */
  #leastBits = 0;
  #scales = 0;

  constructor(model: BitModel) {
    this.#model = model;
  }

  /** Takes note of a picture; `isSparse`: it is coded with fewer bits than the coarsest scale takes. */
  add(picture: UpcomingPicture, bits: number, scale: number, isSparse: boolean): void {
    this.#pictures++;
    this.#scales += isSparse ? MAX_QUANTIZER_SCALE : scale;
    this.#leastBits += isSparse ? bits : bits * this.#model.changeFrom(picture, scale)(MAX_QUANTIZER_SCALE);
  }

  /**
   * A warning, if the stream misses its mean rate of `pictureBits` a picture, or ends before the first pass did; its
   * bits are `codedBits`, all included.
   */
  message(
    codedBits: number,
    { pictureBits, firstPass, buffer }: Pick<RateSettings, 'pictureBits' | 'firstPass' | 'buffer'>,
  ): string | undefined {
    const hasFirstPass = firstPass !== undefined;
    if (hasFirstPass && firstPass.length > this.#pictures) {
      const ends = `the first pass had ${firstPass.length} pictures, and the second ended after ${this.#pictures}`;
      return `${ends}: both passes need the same frames and options`;
    }
    const factor = codedBits / (this.#pictures * pictureBits);
    const tolerance = hasFirstPass ? TOLERANCE.two : TOLERANCE.one;
    if (Math.abs(factor - 1) <= tolerance) return undefined;
    const times = `${factor.toFixed(2)} times as much`;
    const isCoarsest = this.#scales >= COARSEST_SCALE * this.#pictures;
    if (factor > 1 && isCoarsest && this.#leastBits >= (1 + tolerance) * this.#pictures * pictureBits) {
      return `the bit rate is too low: the stream takes ${times} even at the coarsest quantizer_scale, ${MAX_QUANTIZER_SCALE}`;
    }
    if (factor < 1 && this.#scales <= FINEST_SCALE * this.#pictures) {
      return `the bit rate is higher than needed: the stream takes ${times} even at the finest quantizer_scale, 1`;
    }
    const advice = hasFirstPass ? '' : '; two passes keep to it more closely';
    const isLost = factor < 1 && buffer?.isConstantRate === false;
    const reason = isLost
      ? 'a full buffer takes nothing in; a larger one or a higher peak rate helps'
      : `its pictures differ from what was expected${advice}`;
    return `the stream does not keep to the bit rate, it takes ${times}: ${reason}`;
  }
}
