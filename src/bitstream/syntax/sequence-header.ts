// Writes the sequence header and the end of the sequence; the units of the header's fields.

import { SEQUENCE_END_CODE, SEQUENCE_HEADER_CODE } from '../start-codes.js';
import type { BitSink } from './bit-sink.js';

/** Unit of bit_rate; ISO/IEC 11172-2 §2.4.3.2. */
export const BIT_RATE_UNIT_BITS_PER_SECOND = 400;
/** bit_rate of a stream of variable bit rate: all of its 18 bits are 1; §2.4.3.2. */
export const VARIABLE_BIT_RATE = 0x3ffff;
/** The largest bit_rate, in its unit. */
export const MAX_BIT_RATE_UNITS = VARIABLE_BIT_RATE - 1;
/** Unit of vbv_buffer_size: 16,384 bits; §2.4.3.2. */
export const VBV_BUFFER_UNIT_BYTES = 2048;
/** The largest vbv_buffer_size, in its unit: it has 10 bits. */
export const MAX_VBV_BUFFER_UNITS = 1023;

/** The fields of the sequence header; ISO/IEC 11172-2 §2.4.2.3. */
export interface SequenceHeader {
  /** Display size in pels. */
  readonly horizontalSize: number;
  readonly verticalSize: number;
  /** 1..14; 1 is square pels. */
  readonly pelAspectRatio: number;
  /** 1..8, see FRAME_RATES. */
  readonly pictureRate: number;
  /** Units of BIT_RATE_UNIT_BITS_PER_SECOND, or VARIABLE_BIT_RATE. */
  readonly bitRate: number;
  /** Units of VBV_BUFFER_UNIT_BYTES. */
  readonly vbvBufferSize: number;
  readonly constrainedParameters: boolean;
  /** 64 weights in scan order; undefined: the default matrix. */
  readonly intraQuantizerMatrix?: Uint8Array | undefined;
  readonly nonIntraQuantizerMatrix?: Uint8Array | undefined;
}

/** Writes sequence_header(); ISO/IEC 11172-2 §2.4.2.3. */
export function writeSequenceHeader(sink: BitSink, header: SequenceHeader): void {
  sink.putStartCode(SEQUENCE_HEADER_CODE);
  sink.putBits(header.horizontalSize, 12); // horizontal_size
  sink.putBits(header.verticalSize, 12); // vertical_size
  sink.putBits(header.pelAspectRatio, 4); // pel_aspect_ratio
  sink.putBits(header.pictureRate, 4); // picture_rate
  sink.putBits(header.bitRate, 18); // bit_rate
  sink.putBits(1, 1); // marker_bit
  sink.putBits(header.vbvBufferSize, 10); // vbv_buffer_size
  sink.putBits(header.constrainedParameters ? 1 : 0, 1); // constrained_parameters_flag
  writeMatrix(sink, header.intraQuantizerMatrix); // load_intra_quantizer_matrix, intra_quantizer_matrix
  writeMatrix(sink, header.nonIntraQuantizerMatrix); // load_non_intra_quantizer_matrix, non_intra_quantizer_matrix
  sink.alignWithZeros(); // next_start_code()
}

function writeMatrix(sink: BitSink, matrix: Uint8Array | undefined): void {
  sink.putBits(matrix ? 1 : 0, 1); // load_intra_quantizer_matrix or load_non_intra_quantizer_matrix
  if (matrix) for (const weight of matrix) sink.putBits(weight, 8); // the matrix, in scan order
}

/** Writes sequence_end_code; without it some decoders do not show the last pictures. */
export function writeSequenceEnd(sink: BitSink): void {
  sink.putStartCode(SEQUENCE_END_CODE);
}
