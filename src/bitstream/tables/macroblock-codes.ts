// Tables B.1 to B.3: the codes of macroblock_address_increment, macroblock_type and coded_block_pattern.

import type { PictureType } from '../picture-type.js';
import { type Code, compileCode, compileCodes } from './code-table.js';

/** Table B.1 of ISO/IEC 11172-2: macroblock_address_increment 1..33, index 0 unused. */
export const ADDRESS_INCREMENT_CODES: readonly string[] = [
  '',
  '1',
  '011',
  '010',
  '0011',
  '0010',
  '00011',
  '00010',
  '0000111',
  '0000110',
  '00001011',
  '00001010',
  '00001001',
  '00001000',
  '00000111',
  '00000110',
  '0000010111',
  '0000010110',
  '0000010101',
  '0000010100',
  '0000010011',
  '0000010010',
  '00000100011',
  '00000100010',
  '00000100001',
  '00000100000',
  '00000011111',
  '00000011110',
  '00000011101',
  '00000011100',
  '00000011011',
  '00000011010',
  '00000011001',
  '00000011000',
];
/** macroblock_stuffing; Table B.1. */
export const MACROBLOCK_STUFFING = '00000001111';
/** macroblock_escape: adds ESCAPE_INCREMENT to the increment that follows; Table B.1. */
export const MACROBLOCK_ESCAPE = '00000001000';
export const ESCAPE_INCREMENT = 33;

/** The five flags of macroblock_type; a type is their sum. Tables B.2a to B.2c, §2.4.3.6. */
export const MACROBLOCK_QUANT = 1;
export const MACROBLOCK_MOTION_FORWARD = 2;
export const MACROBLOCK_MOTION_BACKWARD = 4;
export const MACROBLOCK_PATTERN = 8;
export const MACROBLOCK_INTRA = 16;
/** Both flags of interpolated prediction. */
export const MACROBLOCK_MOTION_BOTH = MACROBLOCK_MOTION_FORWARD | MACROBLOCK_MOTION_BACKWARD;

/** Table B.2a: macroblock_type in I pictures, by the sum of its flags. */
export const INTRA_PICTURE_TYPE_CODES: ReadonlyMap<number, string> = new Map([
  [MACROBLOCK_INTRA, '1'],
  [MACROBLOCK_INTRA | MACROBLOCK_QUANT, '01'],
]);

/** Table B.2b: macroblock_type in P pictures. */
export const PREDICTIVE_PICTURE_TYPE_CODES: ReadonlyMap<number, string> = new Map([
  [MACROBLOCK_MOTION_FORWARD | MACROBLOCK_PATTERN, '1'],
  [MACROBLOCK_PATTERN, '01'],
  [MACROBLOCK_MOTION_FORWARD, '001'],
  [MACROBLOCK_INTRA, '00011'],
  [MACROBLOCK_MOTION_FORWARD | MACROBLOCK_PATTERN | MACROBLOCK_QUANT, '00010'],
  [MACROBLOCK_PATTERN | MACROBLOCK_QUANT, '00001'],
  [MACROBLOCK_INTRA | MACROBLOCK_QUANT, '000001'],
]);

/** Table B.2c: macroblock_type in B pictures. */
export const BIDIRECTIONAL_PICTURE_TYPE_CODES: ReadonlyMap<number, string> = new Map([
  [MACROBLOCK_MOTION_BOTH, '10'],
  [MACROBLOCK_MOTION_BOTH | MACROBLOCK_PATTERN, '11'],
  [MACROBLOCK_MOTION_BACKWARD, '010'],
  [MACROBLOCK_MOTION_BACKWARD | MACROBLOCK_PATTERN, '011'],
  [MACROBLOCK_MOTION_FORWARD, '0010'],
  [MACROBLOCK_MOTION_FORWARD | MACROBLOCK_PATTERN, '0011'],
  [MACROBLOCK_INTRA, '00011'],
  [MACROBLOCK_MOTION_BOTH | MACROBLOCK_PATTERN | MACROBLOCK_QUANT, '00010'],
  [MACROBLOCK_MOTION_FORWARD | MACROBLOCK_PATTERN | MACROBLOCK_QUANT, '000011'],
  [MACROBLOCK_MOTION_BACKWARD | MACROBLOCK_PATTERN | MACROBLOCK_QUANT, '000010'],
  [MACROBLOCK_INTRA | MACROBLOCK_QUANT, '000001'],
]);

/** Table B.3: coded_block_pattern 1..63, index 0 unused; see isBlockCoded. */
export const CODED_BLOCK_PATTERN_CODES: readonly string[] = printedPatterns();

function printedPatterns(): string[] {
  // Table B.3 in its own order: shortest codes first.
  const inOrder =
    '60:111 4:1101 8:1100 16:1011 32:1010 12:10011 48:10010 20:10001 40:10000 28:01111 44:01110 52:01101 56:01100 ' +
    '1:01011 61:01010 2:01001 62:01000 24:001111 36:001110 3:001101 63:001100 5:0010111 9:0010110 17:0010101 ' +
    '33:0010100 6:0010011 10:0010010 18:0010001 34:0010000 7:00011111 11:00011110 19:00011101 35:00011100 ' +
    '13:00011011 49:00011010 21:00011001 41:00011000 14:00010111 50:00010110 22:00010101 42:00010100 15:00010011 ' +
    '51:00010010 23:00010001 43:00010000 25:00001111 37:00001110 26:00001101 38:00001100 29:00001011 45:00001010 ' +
    '53:00001001 57:00001000 30:00000111 46:00000110 54:00000101 58:00000100 31:000000111 47:000000110 ' +
    '55:000000101 59:000000100 27:000000011 39:000000010';
  const codes: string[] = new Array(64).fill('');
  for (const entry of inOrder.split(' ')) {
    const [pattern, code] = entry.split(':');
    codes[Number(pattern)] = code!;
  }
  return codes;
}

/** Compiled macroblock_type codes by picture type, indexed by the sum of flags (0..31); undefined: no such type. */
export const MACROBLOCK_TYPE_CODES: Readonly<Record<PictureType, readonly (Code | undefined)[]>> = {
  I: byFlags(INTRA_PICTURE_TYPE_CODES),
  P: byFlags(PREDICTIVE_PICTURE_TYPE_CODES),
  B: byFlags(BIDIRECTIONAL_PICTURE_TYPE_CODES),
};

function byFlags(printed: ReadonlyMap<number, string>): readonly (Code | undefined)[] {
  return Array.from({ length: 32 }, (_, flags) => {
    const code = printed.get(flags);
    return code === undefined ? undefined : compileCode(code);
  });
}

/** Compiled Table B.3. */
export const CODED_BLOCK_PATTERNS: readonly Code[] = compileCodes(CODED_BLOCK_PATTERN_CODES);
/** Compiled Table B.1. */
export const ADDRESS_INCREMENTS: readonly Code[] = compileCodes(ADDRESS_INCREMENT_CODES);
