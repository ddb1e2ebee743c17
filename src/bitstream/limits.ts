// Bounds that the syntax of ISO/IEC 11172-2 sets.

/** Largest display width in pels: horizontal_size has 12 bits; §2.4.2.3. */
export const MAX_WIDTH = 4095;
/** Most slices of a picture: one for each row of macroblocks, by the slice start codes 0x01..0xaf; §2.4.2.1. */
export const MAX_SLICES = 175;
/** Largest display height in pels: that of MAX_SLICES rows of macroblocks. */
export const MAX_HEIGHT = 2800;
/** The largest quantizer_scale, which is the coarsest; the smallest is 1; §2.4.3.5. */
export const MAX_QUANTIZER_SCALE = 31;
/** Bits of quantizer_scale, in a slice header and in a macroblock; §2.4.2.6, §2.4.2.7. */
export const QUANTIZER_SCALE_BITS = 5;
