// The numbers by which modes of a macroblock are tried or left out.

/** Bits of macroblock_address_increment 1. */
export const INCREMENT_BITS = 1;

/**
 * A macroblock of a P or B picture is skipped if its error costs at most as much as this many bits: none that is not
 * skipped takes fewer than 6.
 */
export const CERTAIN_SKIP_BITS_P = 4;
export const CERTAIN_SKIP_BITS_B = 5;
/**
 * A macroblock of a P picture may be skipped early if its error costs at most as much as this many bits. Above, a
 * vector may well be better.
 */
export const EARLY_SKIP_BITS = 60;
/**
 * The zero vector is coded in full beside a better one if its SAD is at most this many times that of the better one.
 * Not measured.
 */
export const ZERO_VECTOR_FACTOR = 1.5;
/** A direction is refined in full if it costs at most this many times the best mode so far. Not measured. */
export const REFINED_COST_FACTOR = 1.4;
/** How many vectors of a P macroblock are refined in full beside the best, at most: the first that were coded. */
export const MAX_STARTS_P = 8;
/**
 * The most predictions of a B macroblock that refinements start from: three searched, four known, three with predicted
 * vectors, three from above.
 */
export const MAX_STARTS_B = 13;
/**
 * A prediction is no choice of a row if it costs more than the best of the macroblock by more than so many bits.
 * docs/decisions/presets.md compares 24 and 40.
 */
export const MAX_WAY_BITS = 40;
/**
 * A prediction is given up before its levels are chosen if its estimate is above that of the cheapest one of the
 * macroblock by more than this part of the cost of that, and MAX_WAY_BITS bits. Measured with MAX_WAY_BITS of 24: 27
 * to 81 % of all are given up, of those within 24 bits of the best at most 0.6 % (four clips, q 2 to 8); not measured
 * anew with 40.
 */
export const UNLIKELY_COST_PART = 0.1;
/**
 * The estimate of what a prediction costs: a coefficient costs its square, up to the threshold whose square is worth
 * ESTIMATED_BITS bits. Each unit above the threshold costs EXCESS_FACTOR times the threshold. The standard deviation
 * of its logarithm from that of the cost is 0.05 to 0.07 (basketballpass q 4, foreman q 8, mobile q 2).
 */
export const ESTIMATED_BITS = 5;
export const EXCESS_FACTOR = 0.2;
/** How far a quantized DC may be from the nearest one, with joint symbols. Not measured. */
export const MAX_DC_CHANGE = 2;

/**
 * Without rate-distortion decisions, intra wins if the deviation of the macroblock is smaller than the SAD of its
 * prediction by this much. Not measured.
 */
export const INTRA_BIAS_SAD = 512;
/**
 * Intra is tried unless the SAD of the best prediction is below this many times the deviation of the macroblock. Not
 * measured.
 */
export const DEVIATION_FACTOR = 1.3;
/** The same where vectors are refined in full: 1.3 instead takes 0.2 % more bits. */
export const REFINED_DEVIATION_FACTOR = 0.5;
/**
 * Fewest bits of an intra macroblock: increment 1, type 1, six DC sizes of 2 or 3 bits, six end_of_block, rounded down.
 */
export const MIN_INTRA_BITS = 24;

/**
 * A predicted block whose SAD is below this many times quantizer_scale is not transformed: it would hardly have a level
 * worth its bits. From 0.32 of the scale times 64 pels on, a gradient over the block would just have one. With 24, the
 * kernels of preset fastest take 3 to 4 % longer, for 0.4 % fewer bits at equal PSNR (three clips).
 */
export const EMPTY_BLOCK_SAD = 32;

/**
 * In a B picture whose modes are not compared, the motion that a skipped macroblock would have is taken without a
 * search if the SAD of its luma is below this many times quantizer_scale. 96 instead takes 0.9 % more bits at equal
 * PSNR, 0 as many as 64 (four clips).
 */
export const UNSEARCHED_SAD = 64;

/**
 * A vector of a P macroblock is good enough without rate-distortion decisions if the SAD of its luma is below this many
 * times quantizer_scale: those that cost more bits are not compared. docs/decisions/early-skips.md compares others.
 */
export const ENOUGH_SAD = 48;

/**
 * The scale of the macroblock before is tried if it differs from the wanted one by at most this part of the wanted one.
 * Not measured.
 */
export const MAX_KEPT_PART = 0.5;
/** With fewer bits a macroblock gains nothing from another scale: the change alone takes 5 to 8. */
export const MIN_BITS_FOR_SCALES = 24;

/**
 * At most, of a sparse macroblock: all but the DCs of an intra one, which are macroblock_address_increment,
 * macroblock_type and six end_of_block; all of one with a zero vector and no coefficients, after another zero vector.
 * Tables B.1, B.2, B.4 and B.5.
 */
export const SPARSE_INTRA_BITS = 18;
export const SPARSE_ZERO_VECTOR_BITS = 6;
/**
 * An error of a block, in forward coefficients, by the square of the quantizer_scale: 16 a pel, times 64 pels and
 * SQUARED_ERROR_SCALE. Quantization leaves less, but levels end at 255, which is less than the largest coefficients at
 * scales below 4.
 */
export const CLIPPED_DISTORTION = 16 * 64 * 64;
