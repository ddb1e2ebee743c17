import type { BitSink } from './bit-sink.js';

/** sequence_header_code's last byte; ISO/IEC 11172-2 §2.4.2.1. */
export const SEQUENCE_HEADER_CODE = 0xb3;
const SEQUENCE_END_CODE = 0xb7;
/** bit_rate of a stream of variable bit rate; ISO/IEC 11172-2 §2.4.3.2. */
export const VARIABLE_BIT_RATE = 0x3ffff;

/** The sequence header's fields in the standard's units; ISO/IEC 11172-2 §2.4.2.3. */
export interface SequenceHeader {
  /** Pels, 1..4095. */
  readonly horizontalSize: number;
  readonly verticalSize: number;
  /** 1..14; 1 is square pels. */
  readonly pelAspectRatio: number;
  /** 1..8, see frame-rate.ts. */
  readonly pictureRate: number;
  /** Units of 400 bit/s, rounded up, or VARIABLE_BIT_RATE. */
  readonly bitRate: number;
  /** Units of 16,384 bits, 0..1023. */
  readonly vbvBufferSize: number;
  readonly constrainedParameters: boolean;
  /** 64 weights in scan order, or undefined for the default matrix. */
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
  sink.putBits(header.constrainedParameters ? 1 : 0, 1); // constrained_parameter_flag
  writeMatrix(sink, header.intraQuantizerMatrix); // load_intra_quantizer_matrix, intra_quantizer_matrix
  writeMatrix(sink, header.nonIntraQuantizerMatrix); // load_non_intra_quantizer_matrix, non_intra_quantizer_matrix
  sink.alignWithZeros(); // next_start_code()
}

function writeMatrix(sink: BitSink, matrix: Uint8Array | undefined): void {
  sink.putBits(matrix ? 1 : 0, 1);
  if (matrix) for (const weight of matrix) sink.putBits(weight, 8);
}

/** Writes sequence_end_code; without it some decoders keep back the last pictures. */
export function writeSequenceEnd(sink: BitSink): void {
  sink.putStartCode(SEQUENCE_END_CODE);
}
