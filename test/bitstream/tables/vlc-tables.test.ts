// The tables of Annex B: complete, prefix-free and without an imitation of a start code.

import { describe, expect, it } from 'vitest';
import {
  COEFFICIENT_ESCAPE,
  DC_SIZE_CHROMINANCE_CODES,
  DC_SIZE_LUMINANCE_CODES,
  END_OF_BLOCK,
  FIRST_ZERO_RUN_ONE,
  RUN_LEVEL_CODES,
  runLevelLengths,
} from '../../../src/bitstream/tables/block-codes.js';
import {
  ADDRESS_INCREMENT_CODES,
  BIDIRECTIONAL_PICTURE_TYPE_CODES,
  CODED_BLOCK_PATTERN_CODES,
  INTRA_PICTURE_TYPE_CODES,
  MACROBLOCK_ESCAPE,
  MACROBLOCK_STUFFING,
  PREDICTIVE_PICTURE_TYPE_CODES,
} from '../../../src/bitstream/tables/macroblock-codes.js';
import { MOTION_CODES } from '../../../src/bitstream/tables/motion-vector-codes.js';

const runLevels = RUN_LEVEL_CODES.flatMap(codes => codes.slice(1));

/**
 * Each table with the number of its codes (as the standard prints them) and the part of the code space it leaves
 * unused: the codes that would begin with the zeros of a start code, or that Annex B forbids.
 */
const TABLES: readonly { name: string; codes: string[]; count: number; unused: number }[] = [
  {
    name: 'B.1 macroblock_address_increment',
    codes: [...ADDRESS_INCREMENT_CODES.slice(1), MACROBLOCK_STUFFING, MACROBLOCK_ESCAPE],
    count: 35,
    unused: 22 / 2 ** 11,
  },
  { name: 'B.2a macroblock_type, I', codes: [...INTRA_PICTURE_TYPE_CODES.values()], count: 2, unused: 1 / 4 },
  { name: 'B.2b macroblock_type, P', codes: [...PREDICTIVE_PICTURE_TYPE_CODES.values()], count: 7, unused: 1 / 64 },
  { name: 'B.2c macroblock_type, B', codes: [...BIDIRECTIONAL_PICTURE_TYPE_CODES.values()], count: 11, unused: 1 / 64 },
  { name: 'B.3 coded_block_pattern', codes: CODED_BLOCK_PATTERN_CODES.slice(1), count: 63, unused: 2 / 2 ** 9 },
  { name: 'B.4 motion codes, unsigned', codes: [...MOTION_CODES], count: 17, unused: 12 / 2 ** 10 },
  { name: 'B.5a dct_dc_size_luminance', codes: [...DC_SIZE_LUMINANCE_CODES], count: 9, unused: 1 / 2 ** 7 },
  { name: 'B.5b dct_dc_size_chrominance', codes: [...DC_SIZE_CHROMINANCE_CODES], count: 9, unused: 1 / 2 ** 8 },
  {
    name: 'B.5c-e dct_coeff_next, unsigned',
    codes: [...runLevels, END_OF_BLOCK, COEFFICIENT_ESCAPE],
    count: 113,
    unused: 16 / 2 ** 16,
  },
];

describe.each(TABLES)('Table $name', ({ codes, count, unused }) => {
  it('has as many codes as the standard prints, all different', () => {
    expect(codes).toHaveLength(count);
    expect(new Set(codes).size).toBe(count);
    for (const code of codes) expect(code).toMatch(/^[01]+$/);
  });

  it('is prefix-free', () => {
    const sorted = [...codes].sort();
    for (let i = 1; i < sorted.length; i++) expect(sorted[i]!.startsWith(sorted[i - 1]!)).toBe(false);
  });

  it('is complete: the codes fill the code space but for the forbidden patterns', () => {
    const filled = codes.reduce((sum, code) => sum + 2 ** -code.length, 0);
    expect(1 - filled).toBe(unused);
  });

  it('cannot imitate a start code: no code is longer than two bits and all zeros', () => {
    for (const code of codes) expect(code).toMatch(/1|^00$/);
  });
});

describe('run/level lengths', () => {
  const lengths = runLevelLengths();
  it('give the code with its sign where there is one, the escape elsewhere', () => {
    for (let run = 0; run < 64; run++) {
      for (let magnitude = 1; magnitude < 128; magnitude++) {
        const code = RUN_LEVEL_CODES[run]?.[magnitude];
        expect(lengths[run * 128 + magnitude]).toBe(code ? code.length + 1 : 20);
      }
    }
  });

  it('dct_coeff_first shares its prefix with end_of_block, which cannot come first', () => {
    expect(END_OF_BLOCK.startsWith(FIRST_ZERO_RUN_ONE)).toBe(true);
  });
});
