// Tables B.5a to B.5f: the codes of DC sizes, of runs and levels, and the escape.

/** Table B.5a of ISO/IEC 11172-2: dct_dc_size_luminance 0..8. */
export const DC_SIZE_LUMINANCE_CODES: readonly string[] = [
  '100',
  '00',
  '01',
  '101',
  '110',
  '1110',
  '11110',
  '111110',
  '1111110',
];

/** Table B.5b: dct_dc_size_chrominance 0..8. */
export const DC_SIZE_CHROMINANCE_CODES: readonly string[] = [
  '00',
  '01',
  '10',
  '110',
  '1110',
  '11110',
  '111110',
  '1111110',
  '11111110',
];

/** end_of_block; Table B.5c. */
export const END_OF_BLOCK = '10';
/**
 * dct_coeff_first of run 0 and level 1, before its sign. All other first coefficients have the code of dct_coeff_next.
 */
export const FIRST_ZERO_RUN_ONE = '1';
/** escape: run (6 bits) and level (8 or 16 bits) follow; Table B.5f. */
export const COEFFICIENT_ESCAPE = '000001';

/**
 * Tables B.5c to B.5e: dct_coeff_next as `RUN_LEVEL_CODES[run][level]`, levels from 1 (index 0 unused), without the
 * sign bit that follows (0: positive).
 */
export const RUN_LEVEL_CODES: readonly (readonly string[])[] = [
  [
    '',
    '11',
    '0100',
    '00101',
    '0000110',
    '00100110',
    '00100001',
    '0000001010',
    '000000011101',
    '000000011000',
    '000000010011',
    '000000010000',
    '0000000011010',
    '0000000011001',
    '0000000011000',
    '0000000010111',
    '00000000011111',
    '00000000011110',
    '00000000011101',
    '00000000011100',
    '00000000011011',
    '00000000011010',
    '00000000011001',
    '00000000011000',
    '00000000010111',
    '00000000010110',
    '00000000010101',
    '00000000010100',
    '00000000010011',
    '00000000010010',
    '00000000010001',
    '00000000010000',
    '000000000011000',
    '000000000010111',
    '000000000010110',
    '000000000010101',
    '000000000010100',
    '000000000010011',
    '000000000010010',
    '000000000010001',
    '000000000010000',
  ],
  [
    '',
    '011',
    '000110',
    '00100101',
    '0000001100',
    '000000011011',
    '0000000010110',
    '0000000010101',
    '000000000011111',
    '000000000011110',
    '000000000011101',
    '000000000011100',
    '000000000011011',
    '000000000011010',
    '000000000011001',
    '0000000000010011',
    '0000000000010010',
    '0000000000010001',
    '0000000000010000',
  ],
  ['', '0101', '0000100', '0000001011', '000000010100', '0000000010100'],
  ['', '00111', '00100100', '000000011100', '0000000010011'],
  ['', '00110', '0000001111', '000000010010'],
  ['', '000111', '0000001001', '0000000010010'],
  ['', '000101', '000000011110', '0000000000010100'],
  ['', '000100', '000000010101'],
  ['', '0000111', '000000010001'],
  ['', '0000101', '0000000010001'],
  ['', '00100111', '0000000010000'],
  ['', '00100011', '0000000000011010'],
  ['', '00100010', '0000000000011001'],
  ['', '00100000', '0000000000011000'],
  ['', '0000001110', '0000000000010111'],
  ['', '0000001101', '0000000000010110'],
  ['', '0000001000', '0000000000010101'],
  ['', '000000011111'],
  ['', '000000011010'],
  ['', '000000011001'],
  ['', '000000010111'],
  ['', '000000010110'],
  ['', '0000000011111'],
  ['', '0000000011110'],
  ['', '0000000011101'],
  ['', '0000000011100'],
  ['', '0000000011011'],
  ['', '0000000000011111'],
  ['', '0000000000011110'],
  ['', '0000000000011101'],
  ['', '0000000000011100'],
  ['', '0000000000011011'],
];

/** Largest |level| of the syntax: that of the long escape; Table B.5f. */
export const MAX_LEVEL = 255;
/** The tables below hold magnitudes 0..127 of each run 0..63; larger magnitudes take the long escape. */
const RUNS = 64;
export const RUN_LEVEL_TABLE_STRIDE = 128;
/** Bits of a coefficient with an escape: with a level of 8 bits (magnitudes to 127), and with one of 16. */
const SHORT_ESCAPE_BITS = 20;
export const LONG_ESCAPE_BITS = 28;

/**
 * Bits of each run and magnitude as dct_coeff_next, sign or escape included: entry `run * RUN_LEVEL_TABLE_STRIDE +
 * magnitude`.
 */
export function runLevelLengths(): Uint8Array {
  const lengths = new Uint8Array(RUNS * RUN_LEVEL_TABLE_STRIDE).fill(SHORT_ESCAPE_BITS);
  RUN_LEVEL_CODES.forEach((codes, run) => {
    codes.forEach((code, magnitude) => {
      if (magnitude > 0) lengths[run * RUN_LEVEL_TABLE_STRIDE + magnitude] = code.length + 1;
    });
  });
  return lengths;
}

/**
 * The code of each run and magnitude as dct_coeff_next with a sign bit of 0, as `length << 24 | bits`: entry
 * `run * RUN_LEVEL_TABLE_STRIDE + magnitude`; 0 where there is none, but an escape.
 */
export function runLevelCodes(): Uint32Array {
  const table = new Uint32Array(RUNS * RUN_LEVEL_TABLE_STRIDE);
  RUN_LEVEL_CODES.forEach((codes, run) => {
    codes.forEach((printed, magnitude) => {
      if (magnitude === 0) return;
      table[run * RUN_LEVEL_TABLE_STRIDE + magnitude] =
        ((printed.length + 1) << 24) | Number.parseInt(`${printed}0`, 2);
    });
  });
  return table;
}
