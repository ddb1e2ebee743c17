// Where the symbols of a picture lie in kernel memory.
import { defineRecord, type RecordAt, usize } from './record.js';

/**
 * Pointers to the arrays of a HeaderSymbols, an entry a macroblock; and of the row that is coded, to the quantized DCs,
 * six a macroblock, which are those of intra ones.
 *
 *     0    flags, direction, quantizerScale, codedBlockPattern                                bytes
 *     16   forwardDx, forwardDy, backwardDx, backwardDy, in half-pels; quantizedDcs           int16
 *     36
 */
export const SYMBOL_ARRAYS = defineRecord('SymbolArrays', {
  flags: usize,
  direction: usize,
  quantizerScale: usize,
  codedBlockPattern: usize,
  forwardDx: usize,
  forwardDy: usize,
  backwardDx: usize,
  backwardDy: usize,
  quantizedDcs: usize,
});
export type SymbolArrays = RecordAt<typeof SYMBOL_ARRAYS.fields>;
