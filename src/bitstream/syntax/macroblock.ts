// Writes the parts of a macroblock other than its blocks, and counts their bits.

import type { CodedMacroblock } from '../picture-symbols.js';
import type { PictureType } from '../picture-type.js';
import type { SlicePredictors } from '../slice-predictors.js';
import { compileCode, compileCodes } from '../tables/code-table.js';
import {
  ADDRESS_INCREMENTS,
  CODED_BLOCK_PATTERNS,
  ESCAPE_INCREMENT,
  MACROBLOCK_ESCAPE,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_TYPE_CODES,
} from '../tables/macroblock-codes.js';
import { codeMotionDifference, MOTION_CODES, motionComponentBits } from '../tables/motion-vector-codes.js';
import type { BitSink } from './bit-sink.js';

const ESCAPE = compileCode(MACROBLOCK_ESCAPE);
const MOTION = compileCodes(MOTION_CODES);
const PATTERN_BITS = Uint8Array.from(CODED_BLOCK_PATTERNS, code => code.length);
const TYPE_BITS = { I: typeBits('I'), P: typeBits('P'), B: typeBits('B') };

/**
 * Writes macroblock_address_increment, `increment` from 1, after as many macroblock_escape as it takes; ISO/IEC 11172-2
 * §2.4.2.7.
 */
export function writeAddressIncrement(sink: BitSink, increment: number): void {
  let rest = increment;
  for (; rest > ESCAPE_INCREMENT; rest -= ESCAPE_INCREMENT) sink.putBits(ESCAPE.bits, ESCAPE.length); // macroblock_escape
  const code = ADDRESS_INCREMENTS[rest]!;
  sink.putBits(code.bits, code.length); // macroblock_address_increment
}

/** Bits of macroblock_address_increment, escapes included. */
export function addressIncrementBits(increment: number): number {
  const escapes = Math.floor((increment - 1) / ESCAPE_INCREMENT);
  return escapes * ESCAPE.length + ADDRESS_INCREMENTS[increment - ESCAPE_INCREMENT * escapes]!.length;
}

/** Writes macroblock_type by its flags; Tables B.2a to B.2c. */
export function writeMacroblockType(sink: BitSink, type: PictureType, flags: number): void {
  const code = MACROBLOCK_TYPE_CODES[type][flags]!;
  sink.putBits(code.bits, code.length); // macroblock_type
}

/** Bits of macroblock_type, indexed by its flags; 0 where the table of the picture type has no such entry. */
export function macroblockTypeBits(type: PictureType): Uint8Array {
  return TYPE_BITS[type];
}

function typeBits(type: PictureType): Uint8Array {
  return Uint8Array.from(MACROBLOCK_TYPE_CODES[type], code => code?.length ?? 0);
}

/** Writes a component of a vector as its difference in half-pels from the predicted one; §2.4.2.7, Table B.4. */
export function writeMotionComponent(sink: BitSink, difference: number, fCode: number): void {
  const { motionCode, motionR } = codeMotionDifference(difference, fCode);
  const code = MOTION[Math.abs(motionCode)]!;
  sink.putBits(code.bits, code.length); // motion_*_code
  if (motionCode === 0) return;
  sink.putBits(motionCode < 0 ? 1 : 0, 1); // its sign
  if (fCode > 1) sink.putBits(motionR, fCode - 1); // motion_*_r
}

/** Bits of a macroblock's vectors (motion_*_code and motion_*_r), as differences from the predicted ones. */
export function motionVectorBits(
  macroblock: Omit<CodedMacroblock, 'quantizerScale' | 'dc'>,
  predictors: SlicePredictors,
  forwardFCode: number,
  backwardFCode: number,
): number {
  const { flags } = macroblock;
  let bits = 0;
  if (flags & MACROBLOCK_MOTION_FORWARD) {
    bits += motionComponentBits(macroblock.forwardDxHalfPels - predictors.forwardDxHalfPels, forwardFCode);
    bits += motionComponentBits(macroblock.forwardDyHalfPels - predictors.forwardDyHalfPels, forwardFCode);
  }
  if (flags & MACROBLOCK_MOTION_BACKWARD) {
    bits += motionComponentBits(macroblock.backwardDxHalfPels - predictors.backwardDxHalfPels, backwardFCode);
    bits += motionComponentBits(macroblock.backwardDyHalfPels - predictors.backwardDyHalfPels, backwardFCode);
  }
  return bits;
}

/** Writes coded_block_pattern 1..63; Table B.3. */
export function writeCodedBlockPattern(sink: BitSink, pattern: number): void {
  const code = CODED_BLOCK_PATTERNS[pattern]!;
  sink.putBits(code.bits, code.length); // coded_block_pattern
}

/** Bits of coded_block_pattern 1..63. */
export function codedBlockPatternBits(pattern: number): number {
  return PATTERN_BITS[pattern]!;
}
