// The words in which codeCoefficients hands out the bits of a block: `length << 24 | bits`.

/** Most bits in a word. */
export const MAX_CODE_WORD_BITS = 24;
/** Most words of a block: 64 escapes of 28 bits, each in two halves; end_of_block fits into the last word. */
export const MAX_CODE_WORDS = 128;
