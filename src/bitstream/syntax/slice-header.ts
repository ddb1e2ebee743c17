import type { BitSink } from './bit-sink.js';

/** Writes the slice header of a slice that starts in macroblock row `row` (0..174); ISO/IEC 11172-2 §2.4.2.6. */
export function writeSliceHeader(sink: BitSink, row: number, quantizerScale: number): void {
  sink.putStartCode(row + 1); // slice_start_code: slice_vertical_position
  sink.putBits(quantizerScale, 5); // quantizer_scale
  sink.putBits(0, 1); // extra_bit_slice
}
