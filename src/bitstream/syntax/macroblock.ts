import type { PictureType } from '../picture-type.js';
import { compileCode, compileCodes } from '../tables/code-table.js';
import {
  ADDRESS_INCREMENTS,
  CODED_BLOCK_PATTERNS,
  MACROBLOCK_ESCAPE,
  MACROBLOCK_TYPE_CODES,
} from '../tables/macroblock-codes.js';
import { codeMotionDifference, MOTION_CODES } from '../tables/motion-vector-codes.js';
import type { BitSink } from './bit-sink.js';

const ESCAPE = compileCode(MACROBLOCK_ESCAPE);
const MOTION = compileCodes(MOTION_CODES);
const PATTERN_BITS = Uint8Array.from(CODED_BLOCK_PATTERNS, code => code.length);

/** Writes macroblock_escape as often as needed and macroblock_address_increment, `increment` from 1; §2.4.2.7. */
export function writeAddressIncrement(sink: BitSink, increment: number): void {
  let rest = increment;
  for (; rest > 33; rest -= 33) sink.putBits(ESCAPE.bits, ESCAPE.length); // macroblock_escape
  const code = ADDRESS_INCREMENTS[rest]!;
  sink.putBits(code.bits, code.length); // macroblock_address_increment
}

/** Bits of an address increment, escapes included. */
export function addressIncrementBits(increment: number): number {
  const escapes = Math.floor((increment - 1) / 33);
  return escapes * ESCAPE.length + ADDRESS_INCREMENTS[increment - 33 * escapes]!.length;
}

/** Writes macroblock_type given as the sum of its flags; Tables B.2a to B.2c. */
export function writeMacroblockType(sink: BitSink, type: PictureType, flags: number): void {
  const code = MACROBLOCK_TYPE_CODES[type][flags]!;
  sink.putBits(code.bits, code.length); // macroblock_type
}

/** Bits of macroblock_type by the sum of its flags; 0 where the picture type's table has no such combination. */
export function macroblockTypeBits(type: PictureType): Uint8Array {
  return Uint8Array.from(MACROBLOCK_TYPE_CODES[type], code => code?.length ?? 0);
}

/** Writes one component of a vector as its difference (half-pels) from the prediction; §2.4.2.7, Table B.4. */
export function writeMotionComponent(sink: BitSink, difference: number, fCode: number): void {
  const { motionCode, motionR } = codeMotionDifference(difference, fCode);
  const code = MOTION[Math.abs(motionCode)]!;
  sink.putBits(code.bits, code.length); // motion_*_code
  if (motionCode === 0) return;
  sink.putBits(motionCode < 0 ? 1 : 0, 1); // its sign
  if (fCode > 1) sink.putBits(motionR, fCode - 1); // motion_*_r
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
