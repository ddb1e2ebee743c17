import type { PictureType } from './picture-type.js';

/**
 * One coded picture with the headers that precede it: what the encoder hands out, in coded order; ISO/IEC 11172-1 §2.1
 * (access unit). The last one of a stream ends with sequence_end_code.
 */
export interface AccessUnit {
  /** Sequence and group of pictures headers if any, then the picture. Kept by whoever takes it: it must not change any more. */
  readonly data: Uint8Array;
  readonly pictureType: PictureType;
  /** Place in display order, from 0. */
  readonly displayNumber: number;
  /** Place in coded order, from 0. */
  readonly codedNumber: number;
}
