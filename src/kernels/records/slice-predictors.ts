// What the macroblocks before predict of a macroblock, in kernel memory.
import { defineRecord, i32, type RecordAt } from './record.js';

/**
 * The fields of SlicePredictors in src/bitstream: vectors in half-pels, a direction, a scale, quantized DCs.
 *
 *     0         16          20               24    36
 *     | vectors | direction | quantizerScale | DCs |
 */
export const SLICE_PREDICTORS = defineRecord('SlicePredictors', {
  forwardDxHalfPels: i32,
  forwardDyHalfPels: i32,
  backwardDxHalfPels: i32,
  backwardDyHalfPels: i32,
  direction: i32,
  quantizerScale: i32,
  dcY: i32,
  dcCb: i32,
  dcCr: i32,
});
export type SlicePredictorsRecord = RecordAt<typeof SLICE_PREDICTORS.fields>;
