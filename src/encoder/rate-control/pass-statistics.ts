import type { PictureType } from '../../bitstream/picture-type.js';

/** What a pass found of one picture. */
export interface PassPicture {
  readonly type: PictureType;
  /** Bits of its access unit, and its quantizer_scale before the factors of single macroblocks; need not be whole. */
  readonly bits: number;
  readonly quantizerScale: number;
}

/** What an encode found of its pictures, in coded order: the `firstPass` of a second encode of the same frames. Plain data. */
export type PassStatistics = readonly PassPicture[];
