// The warning of a bit rate that a stream does not keep.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { BitModel, UpcomingPicture } from './forecast/bit-model.js';
import type { RateSettings } from './rate-settings.js';

/** A rate that is missed by a part of it that is no greater is kept: in one pass, and in two. */
export const RATE_TOLERANCE = { one: 0.03, two: 0.01 };
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
    const tolerance = hasFirstPass ? RATE_TOLERANCE.two : RATE_TOLERANCE.one;
    if (Math.abs(factor - 1) <= tolerance) return undefined;
    const takes = takesInWords(factor);
    const isCoarsest = this.#scales >= COARSEST_SCALE * this.#pictures;
    if (factor > 1 && isCoarsest && this.#leastBits >= (1 + tolerance) * this.#pictures * pictureBits) {
      return `the bit rate is too low: the stream ${takes} even at the coarsest quantizer_scale, ${MAX_QUANTIZER_SCALE}`;
    }
    if (factor < 1 && this.#scales <= FINEST_SCALE * this.#pictures) return unusedRate(factor);
    const advice = hasFirstPass ? '' : '; two passes keep to it more closely';
    const isLost = factor < 1 && buffer?.isConstantRate === false;
    const reason = isLost
      ? 'a full buffer takes nothing in; a larger one or a higher peak rate helps'
      : `its pictures differ from what was expected${advice}`;
    return `the stream does not keep to the bit rate, it ${takes}: ${reason}`;
  }
}

/** The warning of a rate that the finest scale does not use up: of it, the stream takes the part `factor`. */
export function unusedRate(factor: number): string {
  return `the bit rate is higher than needed: the stream ${takesInWords(factor)} even at the finest quantizer_scale, 1`;
}

function takesInWords(factor: number): string {
  return `takes ${factor.toFixed(2)} times as much`;
}

/** How many times its rate a stream takes by the warning of that; undefined for a warning of something else. */
export function missedFactor(warning: string): number | undefined {
  const factor = /takes (\d+\.\d\d) times as much/.exec(warning)?.[1];
  return factor === undefined ? undefined : Number(factor);
}
