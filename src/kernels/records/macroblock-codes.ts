// The codes of a macroblock's syntax elements.
import { arrayOf, defineRecord, type RecordAt } from './record.js';

/**
 * Codes as `length << 24 | bits`; 0 where there is none.
 *
 *     0    types       macroblock_type by its flags, of I, P and B pictures
 *     384  increments  macroblock_address_increment 1..33; entry 0 is macroblock_escape
 *     520  patterns    coded_block_pattern
 *     776  motion      |motion_code|, without its sign
 *     844  dcLuma      dct_dc_size_luminance
 *     880  dcChroma    dct_dc_size_chrominance
 *     916  runLevels   of a run and a magnitude, the sign bit 0; see runLevelCodes
 *     33684
 */
export const MACROBLOCK_CODES = defineRecord('MacroblockCodes', {
  types: arrayOf('i32', 96),
  increments: arrayOf('i32', 34),
  patterns: arrayOf('i32', 64),
  motion: arrayOf('i32', 17),
  dcLuma: arrayOf('i32', 9),
  dcChroma: arrayOf('i32', 9),
  runLevels: arrayOf('i32', 64 * 128),
});
export type MacroblockCodes = RecordAt<typeof MACROBLOCK_CODES.fields>;
