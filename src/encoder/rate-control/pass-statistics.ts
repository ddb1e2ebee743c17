// What a first pass tells a second one.
import type { PictureType } from '../../bitstream/picture-type.js';

/** The result of one coded picture. */
export interface PassPicture {
  readonly type: PictureType;
  /** Bits of its access unit. */
  readonly bits: number;
  /** Its picture scale, before the scale factors of macroblocks; need not be whole. */
  readonly quantizerScale: number;
}

/** The pictures of an encode in coded order: `firstPass` of a second encode of the same frames. Plain data. */
export type PassStatistics = readonly PassPicture[];
