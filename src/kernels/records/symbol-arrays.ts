// Where the symbols of a picture lie in kernel memory.
import { defineRecord, type RecordAt, usize } from './record.js';

/**
 * Pointers to the arrays of a PictureSymbols, an entry a macroblock. Of the row that is coded alone: `levelEnd`, six a
 * macroblock, and `levels`, 384.
 *
 *     0    flags, direction, quantizerScale, codedBlockPattern, levelEnd                      bytes
 *     20   forwardDx, forwardDy, backwardDx, backwardDy, in half-pels; levels                 int16
 *     40
 */
export const SYMBOL_ARRAYS = defineRecord('SymbolArrays', {
  flags: usize,
  direction: usize,
  quantizerScale: usize,
  codedBlockPattern: usize,
  levelEnd: usize,
  forwardDx: usize,
  forwardDy: usize,
  backwardDx: usize,
  backwardDy: usize,
  levels: usize,
});
export type SymbolArrays = RecordAt<typeof SYMBOL_ARRAYS.fields>;
