// Contract of the kernel that turns levels into bits.

/** Kernels of the bitstream's syntax. */
export interface BitstreamKernels {
  /**
   * Turns the run/level pairs of a block in scan order, from position `first` (0 or 1) on, and end_of_block into
   * bits; ISO/IEC 11172-2 §2.4.2.8. Writes words of `length << 24 | bits`, as many codes in each as fit into
   * MAX_CODE_WORD_BITS; the halves of an escape (escape and run; level) count as codes. `codes` points to the
   * run/level code table (`runLevelCodes`). With `first` 0, level 1 at position 0 takes dct_coeff_first. `levels` is
   * 16-byte aligned. Returns the number of words, at most MAX_CODE_WORDS.
   */
  codeCoefficients(words: number, levels: number, codes: number, first: 0 | 1): number;
}
