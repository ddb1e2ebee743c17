// Writes a block: its DC differential, its run/level pairs and end_of_block.

import { BLOCKS_PER_MACROBLOCK, LUMA_BLOCKS_PER_MACROBLOCK } from '../macroblock-layout.js';
import type { CodedMacroblock } from '../picture-symbols.js';
import type { SlicePredictors } from '../slice-predictors.js';
import {
  COEFFICIENT_ESCAPE,
  DC_SIZE_CHROMINANCE_CODES,
  DC_SIZE_LUMINANCE_CODES,
  END_OF_BLOCK,
  RUN_LEVEL_TABLE_STRIDE,
  runLevelCodes,
} from '../tables/block-codes.js';
import { type Code, compileCode, compileCodes } from '../tables/code-table.js';
import type { BitSink } from './bit-sink.js';

const DC_SIZE_LUMINANCE = compileCodes(DC_SIZE_LUMINANCE_CODES);
const DC_SIZE_CHROMINANCE = compileCodes(DC_SIZE_CHROMINANCE_CODES);
const ESCAPE = compileCode(COEFFICIENT_ESCAPE);
const EOB = compileCode(END_OF_BLOCK);
const RUN_LEVELS = runLevelCodes();

/** dct_dc_size of a differential: the number of bits of its magnitude, 0..8; ISO/IEC 11172-2 §2.4.3.7. */
function dcSize(differential: number): number {
  return 32 - Math.clz32(Math.abs(differential));
}

/** Bits of dct_dc_size and dct_dc_differential for a differential -255..255. */
export function dcBits(differential: number, luminance: boolean): number {
  const size = dcSize(differential);
  return (luminance ? DC_SIZE_LUMINANCE : DC_SIZE_CHROMINANCE)[size]!.length + size;
}

/** Bits of the six DC differentials of an intra macroblock. */
export function intraDcBits(macroblock: CodedMacroblock, predictors: SlicePredictors): number {
  let bits = 0;
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    bits += dcBits(predictors.dcDifferential(macroblock, block), isLuminance(block));
  }
  return bits;
}

/** Whether block 0..5 of a macroblock is luminance. */
export function isLuminance(block: number): boolean {
  return block < LUMA_BLOCKS_PER_MACROBLOCK;
}

/** Writes dct_dc_size and dct_dc_differential of an intra block; ISO/IEC 11172-2 §2.4.2.8. */
export function writeDcDifferential(sink: BitSink, differential: number, luminance: boolean): void {
  const size = dcSize(differential);
  const code: Code = (luminance ? DC_SIZE_LUMINANCE : DC_SIZE_CHROMINANCE)[size]!;
  sink.putBits(code.bits, code.length); // dct_dc_size
  if (size > 0) sink.putBits(differential > 0 ? differential : differential + (1 << size) - 1, size); // dct_dc_differential
}

/**
 * Writes the run/level pairs of a block and end_of_block; ISO/IEC 11172-2 §2.4.2.8. `levels` holds the block in scan
 * order from index `at` on. `first` is the scan position of the first pair: 0, or 1 in intra blocks, whose DC is
 * written before. `end` is the position after the last non-zero level.
 */
export function writeCoefficients(sink: BitSink, levels: Int16Array, at: number, first: number, end: number): void {
  let run = 0;
  let isFirst = first === 0;
  for (let position = first; position < end; position++) {
    const level = levels[at + position]!;
    if (level === 0) {
      run++;
      continue;
    }
    const sign = level < 0 ? 1 : 0;
    const magnitude = sign === 1 ? -level : level;
    if (isFirst && run === 0 && magnitude === 1)
      sink.putBits(2 | sign, 2); // dct_coeff_first
    else writeRunLevel(sink, run, magnitude, sign);
    isFirst = false;
    run = 0;
  }
  sink.putBits(EOB.bits, EOB.length); // end_of_block
}

function writeRunLevel(sink: BitSink, run: number, magnitude: number, sign: 0 | 1): void {
  const code = magnitude < RUN_LEVEL_TABLE_STRIDE ? RUN_LEVELS[run * RUN_LEVEL_TABLE_STRIDE + magnitude]! : 0;
  if (code !== 0) {
    sink.putBits((code & 0xffffff) | sign, code >>> 24); // dct_coeff_next
    return;
  }
  sink.putBits(ESCAPE.bits, ESCAPE.length); // escape
  sink.putBits(run, 6); // run
  if (magnitude < 128) {
    sink.putBits(sign === 1 ? 256 - magnitude : magnitude, 8); // level
  } else {
    sink.putBits(sign === 1 ? 0x80 : 0x00, 8); // level, first byte of the long form
    sink.putBits(sign === 1 ? 256 - magnitude : magnitude, 8); // level
  }
}
