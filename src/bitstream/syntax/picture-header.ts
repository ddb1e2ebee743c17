// Writes the picture header.

import type { PictureType } from '../picture-type.js';
import { PICTURE_START_CODE } from '../start-codes.js';
import type { BitSink } from './bit-sink.js';

/** Unit of vbv_delay: ticks of 90 kHz; ISO/IEC 11172-2 §2.4.3.4. */
export const VBV_DELAY_TICKS_PER_SECOND = 90_000;
/** vbv_delay where the bit rate is not constant; §2.4.3.4. */
export const VBV_DELAY_VARIABLE = 0xffff;

/** picture_coding_type; ISO/IEC 11172-2 §2.4.3.4. */
const PICTURE_CODING_TYPES: Readonly<Record<PictureType, number>> = { I: 1, P: 2, B: 3 };

/** The fields of the picture header; ISO/IEC 11172-2 §2.4.2.5. Vectors are in half-pels: both full_pel flags are 0. */
export interface PictureHeader {
  /** Display number within the group of pictures; written modulo 1024. */
  readonly temporalReference: number;
  readonly type: PictureType;
  /** Ticks of 90 kHz, or VBV_DELAY_VARIABLE. */
  readonly vbvDelay: number;
  /** 1..7; written for P and B. */
  readonly forwardFCode: number;
  /** 1..7; written for B. */
  readonly backwardFCode: number;
}

/** Writes the picture header; ISO/IEC 11172-2 §2.4.2.5. */
export function writePictureHeader(sink: BitSink, header: PictureHeader): void {
  sink.putStartCode(PICTURE_START_CODE);
  sink.putBits(header.temporalReference & 1023, 10); // temporal_reference
  sink.putBits(PICTURE_CODING_TYPES[header.type], 3); // picture_coding_type
  sink.putBits(header.vbvDelay, 16); // vbv_delay
  if (header.type !== 'I') {
    sink.putBits(0, 1); // full_pel_forward_vector
    sink.putBits(header.forwardFCode, 3); // forward_f_code
  }
  if (header.type === 'B') {
    sink.putBits(0, 1); // full_pel_backward_vector
    sink.putBits(header.backwardFCode, 3); // backward_f_code
  }
  sink.putBits(0, 1); // extra_bit_picture
  sink.alignWithZeros(); // next_start_code()
}

/** First byte of vbv_delay in a picture header, and how many bits of that byte come before it. */
const VBV_DELAY_BYTE = 5;
const BITS_BEFORE_VBV_DELAY = 5;

/** Replaces vbv_delay in the picture header that starts at byte `header` of `data`. */
export function setVbvDelay(data: Uint8Array, header: number, vbvDelay: number): void {
  const at = header + VBV_DELAY_BYTE;
  const shift = 24 - 16 - BITS_BEFORE_VBV_DELAY;
  const kept = (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!;
  const bits = (kept & ~(0xffff << shift)) | (vbvDelay << shift);
  data[at] = bits >>> 16;
  data[at + 1] = bits >>> 8;
  data[at + 2] = bits;
}
