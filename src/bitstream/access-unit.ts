// One coded picture with the headers before it.

import type { PictureType } from './picture-type.js';

/**
 * What the encoder hands out, in coded order; ISO/IEC 11172-1 §2.1. The last one of a stream ends with
 * sequence_end_code.
 */
export interface AccessUnit {
  /** Sequence header and group of pictures header, if any; then the picture. The encoder does not touch it any more. */
  readonly data: Uint8Array;
  readonly pictureType: PictureType;
  /** Place in display order, from 0. */
  readonly displayNumber: number;
  /** Place in coded order, from 0. */
  readonly codedNumber: number;
}
