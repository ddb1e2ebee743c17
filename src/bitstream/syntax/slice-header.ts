// Writes the slice header.

import { QUANTIZER_SCALE_BITS } from '../limits.js';
import { FIRST_SLICE_START_CODE } from '../start-codes.js';
import type { BitSink } from './bit-sink.js';

/** Writes the header of a slice that starts in macroblock row `row`, from 0; ISO/IEC 11172-2 §2.4.2.6. */
export function writeSliceHeader(sink: BitSink, row: number, quantizerScale: number): void {
  sink.putStartCode(FIRST_SLICE_START_CODE + row); // slice_start_code: slice_vertical_position
  sink.putBits(quantizerScale, QUANTIZER_SCALE_BITS); // quantizer_scale
  sink.putBits(0, 1); // extra_bit_slice
}
