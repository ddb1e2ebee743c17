// Start codes: the last byte of each; ISO/IEC 11172-2 §2.4.2.1.

/** Bits of a start code: the prefix 0x000001 and one byte. */
export const START_CODE_BITS = 32;

export const PICTURE_START_CODE = 0x00;
/** The start code of a slice in the first macroblock row; each row below adds 1. */
export const FIRST_SLICE_START_CODE = 0x01;
export const SEQUENCE_HEADER_CODE = 0xb3;
export const SEQUENCE_END_CODE = 0xb7;
export const GROUP_START_CODE = 0xb8;
